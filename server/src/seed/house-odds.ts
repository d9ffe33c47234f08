// The expected return of a bet, without its discount.

import { betOfSlot, betTypeByCode, type BetTypeCode, sortDigits } from '@megalot/rules'

/**
 * The probability that a number wins, over all draws. Two equal front or back numbers are so rare that they are
 * ignored.
 */
const chanceOf: Readonly<Record<BetTypeCode, (number: string) => number>> = {
  '3top': () => 1 / 1_000,
  '3roll': (number) => betTypeByCode['3roll'].winningNumbers({ top3: number, bottom2: '' }).length / 1_000,
  '3front': () => 2 / 1_000,
  '3bottom': () => 2 / 1_000,
  '2top': () => 1 / 100,
  '2bottom': () => 1 / 100,
  '2roll': (number) => (sortDigits(number)[0] === sortDigits(number)[1] ? 28 : 54) / 1_000,
  '1top': () => 271 / 1_000,
  '1bottom': () => 19 / 100,
}

/** Memoised by slot. */
const chances = new Map<number, number>()

/** The expected part of its stake that a bet returns. @param rate in hundredths */
export function returnOf(slot: number, rate: number): number {
  const chance = chances.get(slot) ?? findChance(slot)
  return (chance * rate) / 100
}

function findChance(slot: number): number {
  const { bet_type, number } = betOfSlot(slot)!
  const chance = chanceOf[bet_type](number)
  chances.set(slot, chance)
  return chance
}
