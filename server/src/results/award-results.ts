// Compares two people's entries.

import { isDeepStrictEqual } from 'node:util'
import type { DrawResult } from '@megalot/rules'

/** The state of an entry compared with the previous one. */
export function stateAfter(earlier: DrawResult | undefined, result: DrawResult): 'entered' | 'agreed' | 'locked' {
  if (!earlier) return 'entered'
  return isSameResult(earlier, result) ? 'agreed' : 'locked'
}

/** Whether two results are equal. */
export function isSameResult(one: DrawResult, other: DrawResult): boolean {
  return isDeepStrictEqual(inOneOrder(one), inOneOrder(other))
}

/** Normalises for comparison, because the order of front and back numbers is irrelevant. */
function inOneOrder({ first_prize, top3, bottom2, front3, back3 }: DrawResult): DrawResult {
  return {
    ...(first_prize === undefined ? {} : { first_prize }),
    top3,
    bottom2,
    ...(front3 === undefined ? {} : { front3: front3.toSorted() }),
    ...(back3 === undefined ? {} : { back3: back3.toSorted() }),
  }
}
