// The content of one ticket of a demo member. As among Thai players, most bets have two digits and most stakes are
// small.

import { type BetTypeCode, slotOf } from '@megalot/rules'
import type { MemberHabit } from './house-habits.ts'
import { type PopularNumbers, popularNumbersOf } from './house-quotas.ts'
import type { Random } from './random.ts'

export interface SlipLine {
  slot: number
  bet_type: BetTypeCode
  bet_satang: number
}

/** Stakes in Baht with their weights, by the number of digits. */
const stakes: Readonly<Record<string, readonly (readonly [number, number])[]>> = {
  1: [
    [20, 30],
    [50, 40],
    [100, 25],
    [200, 5],
  ],
  2: [
    [5, 12],
    [10, 30],
    [20, 28],
    [50, 19],
    [100, 9],
    [200, 2],
  ],
  3: [
    [5, 30],
    [10, 38],
    [20, 22],
    [50, 8],
    [100, 2],
  ],
}

/** Bet types that one number is played with, with weights. */
const entryKinds: readonly (readonly [readonly BetTypeCode[], number])[] = [
  [['2top', '2bottom'], 54],
  [['2top'], 9],
  [['2bottom'], 9],
  [['2roll'], 2],
  [['3top', '3roll'], 16],
  [['3front', '3bottom'], 3],
  [['1top'], 4],
  [['1bottom'], 4],
]

/** @returns at least one line, all with different numbers */
export function makeSlip(
  random: Random,
  { username, stake_scale }: MemberHabit,
  offered: readonly BetTypeCode[],
  popular: PopularNumbers,
): SlipLine[] {
  const lines = new Map<number, SlipLine>()
  const own = popularNumbersOf(username)
  for (let left = random.between(1, 5); left > 0 || lines.size === 0; left -= 1) {
    const bet_types = random.pickWeighted(entryKinds)
    const digits = bet_types[0]!.charAt(0)
    const number = pickNumber(random, Number(digits), popular, own)
    // Stakes on three digits are low.
    const bet_satang = random.pickWeighted(stakes[digits]!) * (digits === '3' ? 1 : stake_scale) * 100
    for (const bet_type of bet_types) {
      const slot = slotOf(bet_type, number)
      if (offered.includes(bet_type)) lines.set(slot, { slot, bet_type, bet_satang })
    }
  }
  return [...lines.values()]
}

/** Picks some popular numbers, and the member's favourites for a third of the bets. */
function pickNumber(random: Random, digits: number, popular: PopularNumbers, own: PopularNumbers): string {
  const chosen = random.next()
  if (digits > 1 && chosen < 0.45) {
    const { twos, threes } = chosen < 0.15 ? popular : own
    return random.pick(digits === 2 ? twos : threes)
  }
  return String(random.between(0, 10 ** digits - 1)).padStart(digits, '0')
}
