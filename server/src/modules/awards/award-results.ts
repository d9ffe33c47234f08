// Results as two people enter them, as they are compared, and as they travel.

import { isDeepStrictEqual } from 'node:util'
import type { DrawResult } from '@megalot/rules'

/** What becomes of an entry beside the one before it. */
export function stateAfter(earlier: DrawResult | undefined, result: DrawResult): 'entered' | 'agreed' | 'locked' {
  if (!earlier) return 'entered'
  return isSameResult(earlier, result) ? 'agreed' : 'locked'
}

/** Whether two results say the same. */
export function isSameResult(one: DrawResult, other: DrawResult): boolean {
  return isDeepStrictEqual(inOneOrder(one), inOneOrder(other))
}

/** For comparing: a result is the same in whatever order its front and back numbers were read out. It is kept as entered first. */
function inOneOrder({ first_prize, top3, bottom2, front3, back3 }: DrawResult): DrawResult {
  return {
    ...(first_prize === undefined ? {} : { first_prize }),
    top3,
    bottom2,
    ...(front3 === undefined ? {} : { front3: front3.toSorted() }),
    ...(back3 === undefined ? {} : { back3: back3.toSorted() }),
  }
}
