// Views of past results: how often digits and numbers were drawn, and which of a member's own items won.

import type { AwardStatistics, DataOf, listOwnWins as listOwnWinsRoute } from '@megalot/contract'
import type { Db } from '../../platform/db.ts'
import { getProduct } from '../markets/index.ts'
import { listOwnWinRecords, listResults } from './past-results.store.ts'

export type OwnWin = DataOf<typeof listOwnWinsRoute>[number]

/** More than a market has in ten days of fifteen-minute rounds, and in forty years of two draws a month. */
const MAX_DRAWS = 1_000
const MAX_NUMBERS = 100

/**
 * How often digits and numbers were drawn in the last results of a market. Draws are independent: the statistics
 * predict nothing, and every screen that shows them says so.
 * @throws Refusal unknown_product
 */
export async function getAwardStatistics(
  db: Db,
  product_code: string,
  span: { date_from?: string | undefined; date_to?: string | undefined },
  draws = MAX_DRAWS,
): Promise<AwardStatistics> {
  await getProduct(db, product_code)
  const results = await listResults(db, product_code, span, Math.min(Math.max(draws, 1), MAX_DRAWS))
  const count = (size: number, pick: (result: { top3: string; bottom2: string }) => string): number[] => {
    const counts = Array.from({ length: size }, () => 0)
    for (const result of results) counts[Number(pick(result))]! += 1
    return counts
  }
  const top3 = count(1_000, (result) => result.top3)
  return {
    draws: results.length,
    demo_draws: results.filter(({ is_demo }) => is_demo).length,
    date_from: results.at(-1)?.period_date ?? null,
    date_to: results[0]?.period_date ?? null,
    digits: {
      top3: [0, 1, 2].map((position) => count(10, (result) => result.top3[position]!)),
      bottom2: [0, 1].map((position) => count(10, (result) => result.bottom2[position]!)),
    },
    top2: count(100, (result) => result.top3.slice(1)),
    bottom2: count(100, (result) => result.bottom2),
    top3: top3
      .map((times, number) => ({ number: String(number).padStart(3, '0'), count: times }))
      .filter((each) => each.count > 0)
      .toSorted((one, other) => other.count - one.count || one.number.localeCompare(other.number))
      .slice(0, MAX_NUMBERS),
  }
}

/** A page of a member's winning items of settled periods, newest ticket first. Codes of other periods are left out. */
export async function listOwnWins(
  db: Db,
  user_id: number,
  period_codes: readonly string[],
  page: { limit: number; offset: number },
): Promise<OwnWin[]> {
  return listOwnWinRecords(db, user_id, period_codes, page)
}
