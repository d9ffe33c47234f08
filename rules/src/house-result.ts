// What a draw costs the house: for each result there can be, the payouts of the bets that it makes win (§1 of the domain rules).
//
// A draw has up to four parts, drawn independently of one another. Each bet type is paid by one part:
//
//   top      1,000 results   3top, 3roll, 2top, 2roll, 1top
//   bottom     100 results   2bottom, 1bottom
//   front    two numbers     3front; and 3bottom, where a market counts front numbers as well (`front+back`)
//   back     two numbers     3bottom
//
// Payouts are given by quota slot (`quotaSlotOf`): a roll stands there once, under its digits in ascending order. The worst
// result is therefore the worst top plus the worst bottom plus the worst front and back numbers.

import type { BetTypeCode } from './bet-type-code.ts'
import type { Bottom3Set } from './bet-type.ts'
import { quotaSlotOf, SLOT_COUNT, slotOf } from './bet-slot.ts'
import type { DrawResult } from './draw-result.ts'
import { listWinningBets } from './settlement.ts'

/** The part of a draw by which a bet type wins. `3bottom` of a market that counts front numbers too wins by two parts. */
export const drawPartOf: Readonly<Record<BetTypeCode, 'top' | 'bottom' | 'front' | 'back'>> = {
  '3top': 'top',
  '3roll': 'top',
  '2top': 'top',
  '2roll': 'top',
  '1top': 'top',
  '2bottom': 'bottom',
  '1bottom': 'bottom',
  '3front': 'front',
  '3bottom': 'back',
}

export const TOP_RESULTS = 1_000
export const BOTTOM_RESULTS = 100

/** What the house pays on each slot if it wins, in satang, by quota slot: `SLOT_COUNT` values. */
export type Payouts = ArrayLike<number>

/** Three digits of a number below 1,000, two of one below 100. */
export const topName = (value: number): string => String(value).padStart(3, '0')
export const bottomName = (value: number): string => String(value).padStart(2, '0')

function listSlots(result: DrawResult, bet_types: readonly BetTypeCode[]): Int16Array {
  const winning = listWinningBets(result, 'back').filter(({ bet_type }) => bet_types.includes(bet_type))
  // Winning rolls are all orders of the same digits, and the house counts them under one slot.
  return Int16Array.from(new Set(winning.map(({ bet_type, number }) => quotaSlotOf(slotOf(bet_type, number)))))
}

const topTypes: readonly BetTypeCode[] = ['3top', '3roll', '2top', '2roll', '1top']
const bottomTypes: readonly BetTypeCode[] = ['2bottom', '1bottom']
let slotsOfTop: Int16Array[] | undefined
let slotsOfBottom: Int16Array[] | undefined

/** The quota slots that win by each of the 1,000 top results. */
function topSlots(): Int16Array[] {
  return (slotsOfTop ??= Array.from({ length: TOP_RESULTS }, (_, value) =>
    listSlots({ top3: topName(value), bottom2: '' }, topTypes),
  ))
}

function bottomSlots(): Int16Array[] {
  return (slotsOfBottom ??= Array.from({ length: BOTTOM_RESULTS }, (_, value) =>
    listSlots({ top3: '', bottom2: bottomName(value) }, bottomTypes),
  ))
}

function assertPayouts(payouts: Payouts): void {
  if (payouts.length !== SLOT_COUNT) throw new RangeError(`payouts of ${payouts.length} slots`)
}

const sumOf = (slots: Int16Array, payouts: Payouts): number =>
  slots.reduce((sum, slot) => sum + (payouts[slot] as number), 0)

/** What each of the 1,000 top results costs, in satang; the index is the result. */
export function payoutsByTop(payouts: Payouts): Float64Array {
  assertPayouts(payouts)
  return Float64Array.from(topSlots(), (slots) => sumOf(slots, payouts))
}

/** What each of the 100 bottom results costs, in satang; the index is the result. */
export function payoutsByBottom(payouts: Payouts): Float64Array {
  assertPayouts(payouts)
  return Float64Array.from(bottomSlots(), (slots) => sumOf(slots, payouts))
}

/** What one result costs the house, in satang: each winning number of each bet type is paid once. */
export function payoutOfResult(payouts: Payouts, result: DrawResult, bottom3_set: Bottom3Set): number {
  assertPayouts(payouts)
  const slots = new Set(
    listWinningBets(result, bottom3_set).map(({ bet_type, number }) => quotaSlotOf(slotOf(bet_type, number))),
  )
  return [...slots].reduce((sum, slot) => sum + (payouts[slot] as number), 0)
}

const FRONT = slotOf('3front', '000')
const BOTTOM3 = slotOf('3bottom', '000')

export interface NumbersCase {
  front: readonly [number, number]
  back: readonly [number, number]
  payout_satang: number
}

/**
 * The most that front and back numbers can cost, and numbers that cost so much. A number that comes twice is paid once.
 * Only the four numbers with the highest payouts, alone and together, can be part of the worst case: a fifth one could always
 * be replaced by one of them that is not drawn yet.
 */
export function worstNumbers(payouts: Payouts, bottom3_set: Bottom3Set): NumbersCase {
  assertPayouts(payouts)
  const front = (number: number) => payouts[FRONT + number] as number
  const back = (number: number) => payouts[BOTTOM3 + number] as number
  const candidates = (amount: (number: number) => number, count: number): number[] =>
    Array.from({ length: 1_000 }, (_, number) => number)
      .toSorted((one, other) => amount(other) - amount(one))
      .slice(0, count)
  const forBack = candidates(back, 4)
  const forFront =
    bottom3_set === 'back'
      ? candidates(front, 2)
      : [...new Set([...candidates(front, 4), ...candidates((number) => front(number) + back(number), 4), ...forBack])]
  let worst: NumbersCase = { front: [0, 1], back: [0, 1], payout_satang: -1 }
  for (const [at, first] of forFront.entries())
    for (const second of forFront.slice(at + 1))
      for (const [place, third] of forBack.entries())
        for (const fourth of forBack.slice(place + 1)) {
          const paidOnce = new Set(bottom3_set === 'back' ? [third, fourth] : [first, second, third, fourth])
          const payout_satang =
            front(first) + front(second) + [...paidOnce].reduce((sum, number) => sum + back(number), 0)
          if (payout_satang > worst.payout_satang)
            worst = { front: [first, second], back: [third, fourth], payout_satang }
        }
  return worst
}
