// The theoretical return of a bet: the average part of a stake that a member gets back as win and discount. It is shown
// beside every rate. Terms beyond its bounds need two people or are refused.
// Chances are counted over all possible draws, with the rules' own `wins`. The member chooses the number, so the count
// uses a number with the best chance: a 3roll of three different digits, a 2roll of two.

import type { BetTypeCode } from './bet-type-code.ts'
import { betTypeByCode, type Bottom3Set } from './bet-type.ts'
import type { DrawResult } from './draw-result.ts'
import { halfRate } from './money.ts'

/** How many of all draws make a number win. */
export interface WinChance {
  wins: number
  draws: number
}

/** The return above which terms need two people, in hundredths of a percent: 100 %. */
export const MAX_RETURN_OF_ONE = 10_000
/** The return above which terms are refused, in hundredths of a percent: 120 %. */
export const MAX_RETURN = 12_000

/** Who may set terms with such a return: one person, only two people, or nobody. */
export type ReturnBound = 'alone' | 'approved' | 'refused'

export function boundOfReturn(return_rate: number): ReturnBound {
  if (return_rate > MAX_RETURN) return 'refused'
  return return_rate > MAX_RETURN_OF_ONE ? 'approved' : 'alone'
}

/** A number with the best chance of its bet type. */
const bestNumber: Readonly<Record<BetTypeCode, string>> = {
  '3top': '012',
  '3roll': '012',
  '3front': '012',
  '3bottom': '012',
  '2top': '01',
  '2bottom': '01',
  '2roll': '01',
  '1top': '0',
  '1bottom': '0',
}

const numberBelow = (count: number) =>
  Array.from({ length: count }, (_, value) => String(value).padStart(String(count - 1).length, '0'))
const threeDigits = numberBelow(1_000)
const twoDigits = numberBelow(100)

function countWins(bet_type: BetTypeCode, draws: Iterable<DrawResult>): WinChance {
  const { wins: isWon } = betTypeByCode[bet_type]
  const number = bestNumber[bet_type]
  const chance = { wins: 0, draws: 0 }
  for (const draw of draws) {
    chance.draws += 1
    if (isWon(number, draw)) chance.wins += 1
  }
  return chance
}

/** Every pair of two drawn numbers of three digits, in one of the two lists. The draw is one object, changed in place. */
function* drawPairs(list: 'front3' | 'back3'): Iterable<DrawResult> {
  const pair: [string, string] = ['', '']
  const draw: DrawResult = { top3: '', bottom2: '', [list]: pair }
  for (const first of threeDigits)
    for (const second of threeDigits) {
      pair[0] = first
      pair[1] = second
      yield draw
    }
}

/** The chance that at least one of two independent parts of the draw wins. */
function either(one: WinChance, other: WinChance): WinChance {
  const draws = one.draws * other.draws
  return { wins: draws - (one.draws - one.wins) * (other.draws - other.wins), draws }
}

function count(bet_type: BetTypeCode, bottom3_set: Bottom3Set): WinChance {
  switch (bet_type) {
    case '2bottom':
    case '1bottom':
      return countWins(
        bet_type,
        twoDigits.map((bottom2) => ({ top3: '', bottom2 })),
      )
    case '3front':
      return countWins(bet_type, drawPairs('front3'))
    case '3bottom': {
      const back = countWins(bet_type, drawPairs('back3'))
      return bottom3_set === 'back' ? back : either(back, winChance('3front'))
    }
    default:
      return countWins(
        bet_type,
        threeDigits.map((top3) => ({ top3, bottom2: '' })),
      )
  }
}

const counted = new Map<string, WinChance>()

/** The chance of a bet type's best number. Computed once per bet type. */
export function winChance(bet_type: BetTypeCode, bottom3_set: Bottom3Set = 'back'): WinChance {
  const key = `${bet_type} ${bet_type === '3bottom' ? bottom3_set : ''}`
  const chance = counted.get(key) ?? count(bet_type, bottom3_set)
  counted.set(key, chance)
  return chance
}

export interface ReturnTerms {
  bet_type: BetTypeCode
  /** Payout per stake in hundredths. */
  rate: number
  /** In hundredths of a percent. */
  discount_rate: number
}

export interface ReturnCase {
  bottom3_set?: Bottom3Set
  /** Whether the number pays half its rate. */
  is_half_pay?: boolean
}

/**
 * P(win) × rate + discount, in hundredths of a percent of the stake, rounded up. 3top at 550 with 33 % discount returns
 * 8,800: 55 % plus 33 %. A number at half pay has half the rate and the full discount.
 */
export function theoreticalReturn(
  { bet_type, rate, discount_rate }: ReturnTerms,
  { bottom3_set = 'back', is_half_pay = false }: ReturnCase = {},
): number {
  const { wins, draws } = winChance(bet_type, bottom3_set)
  const paid = is_half_pay ? halfRate(rate) : rate
  // 100 hundredths of a rate are one stake, or 10,000 hundredths of a percent. The product exceeds safe integers.
  const won = BigInt(wins) * BigInt(paid) * 100n
  return Number((won + BigInt(draws) - 1n) / BigInt(draws)) + discount_rate
}
