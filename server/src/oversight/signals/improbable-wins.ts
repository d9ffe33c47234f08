// How improbable a member's wins are. Counts periods, once per bet type, because numbers of one draw depend on each
// other, while draws do not. In each period the member has one chance, that any of its numbers wins. So the number of
// winning periods follows the exact distribution of independent trials (`rules/src/binomial.ts`).

import type { BetTypeCode } from '@megalot/rules'
import { betOfSlot, chanceOfAnyWin, chanceOfAtLeast } from '@megalot/rules'
import type { BetRow, HitRow } from './signals.store.ts'
import { thresholds } from './thresholds.ts'

/** Represents everything lower, because a double ends at 1e−308. */
const LEAST_LOG10 = -300

export interface ImprobableWin extends HitRow {
  period_count: number
  expected_hits: number
  chance_log10: number
  received_satang: number
}

/** The chance that any of the member's numbers wins in the period. */
export function chanceIn({ bet_type, bottom3_set, slots }: Pick<BetRow, 'bet_type' | 'bottom3_set' | 'slots'>): number {
  const numbers = slots.map((slot) => betOfSlot(slot)!.number)
  const { wins, draws } = chanceOfAnyWin(bet_type, numbers, bottom3_set)
  return wins / draws
}

const keyOf = (user_id: number, bet_type: BetTypeCode): string => `${user_id} ${bet_type}`

/** Hits that are too improbable. `bets` contains all bets of these members with these bet types. */
export function evaluateHits(hits: readonly HitRow[], bets: readonly BetRow[]): ImprobableWin[] {
  const betsOf = new Map<string, BetRow[]>()
  for (const bet of bets) {
    const key = keyOf(bet.user_id, bet.bet_type)
    const known = betsOf.get(key)
    if (known) known.push(bet)
    else betsOf.set(key, [bet])
  }
  return hits.flatMap((hit) => {
    const own = betsOf.get(keyOf(hit.user_id, hit.bet_type)) ?? []
    const chances = own.map(chanceIn)
    const expected_hits = chances.reduce((sum, chance) => sum + chance, 0)
    // The median of such a sum is at most one from its mean, so as many hits as expected are never improbable.
    if (hit.hit_count <= expected_hits) return []
    const tail = chanceOfAtLeast(
      hit.hit_count,
      chances.map((chance) => ({ count: 1, chance })),
    )
    const chance_log10 = Math.max(LEAST_LOG10, Math.log10(tail))
    if (chance_log10 > thresholds.improbable_wins.max_chance_log10) return []
    const received_satang = own.reduce((sum, bet) => sum + bet.received_satang, 0)
    return [{ ...hit, period_count: own.length, expected_hits, chance_log10, received_satang }]
  })
}
