// Views of past results: how often digits and numbers were drawn, and which of a member's own items won.

import type { AwardStatistics, DataOf, listOwnWins as listOwnWinsRoute, TopLevelOf } from '@megalot/contract'
import type { Db } from '../postgres/db.ts'
import { getProduct } from '../markets/index.ts'
import { listResults, listTicketsOfWins, listWinsOf } from './past-results.store.ts'

export type OwnWin = DataOf<typeof listOwnWinsRoute>[number]

/** More than a market has in ten days of fifteen-minute rounds, and in forty years of two draws a month. */
const MAX_DRAWS = 1_000
const MAX_NUMBERS = 100

/**
 * How often digits and numbers were drawn in a market's last results. Draws are independent: the statistics predict
 * nothing, and every screen with them says so.
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

export interface OwnWins {
  data: OwnWin[]
  top_level: TopLevelOf<typeof listOwnWinsRoute>
}

/** The most rows of wins that a page reads; a correction adds rows. */
const MAX_WINS = 500

/**
 * A page of a member's winning items of settled periods, newest ticket first, with all items of each ticket. Codes of
 * other periods are ignored.
 * @param before only tickets before this one
 */
export async function listOwnWins(
  db: Db,
  user_id: number,
  period_codes: readonly string[],
  before = Number.MAX_SAFE_INTEGER,
  most = MAX_WINS,
): Promise<OwnWins> {
  const { order_ids, isFull } = await listTicketsOfWins(db, user_id, period_codes, before, most + 1)
  // The wins of the last ticket may be incomplete, so it begins the next page, unless it is the only one.
  const shown = isFull && order_ids.length > 1 ? order_ids.slice(0, -1) : order_ids
  const data = await listWinsOf(db, shown)
  return { data, top_level: { next_before: isFull ? shown.at(-1)! : null } }
}
