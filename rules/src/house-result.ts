// What a draw costs the house: for each result there can be, the payouts of the bets that it makes win.
//
// A draw has up to four independent parts. Each bet type is paid by one part:
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

/**
 * The part of a draw that pays a bet type. In a market that also counts front numbers, `3bottom` is paid by two parts.
 */
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

/** The house's payout for each slot if it wins, in satang, by quota slot: `SLOT_COUNT` values. */
export type Payouts = ArrayLike<number>

/** Three digits for a number below 1,000, two for one below 100. */
export const topName = (value: number): string => String(value).padStart(3, '0')
export const bottomName = (value: number): string => String(value).padStart(2, '0')

function listSlots(result: DrawResult, bet_types: readonly BetTypeCode[]): Int16Array {
  const winning = listWinningBets(result, 'back').filter(({ bet_type }) => bet_types.includes(bet_type))
  // A roll wins in every order of its digits, and the house counts all of them under one slot.
  return Int16Array.from(new Set(winning.map(({ bet_type, number }) => quotaSlotOf(slotOf(bet_type, number)))))
}

const topTypes: readonly BetTypeCode[] = ['3top', '3roll', '2top', '2roll', '1top']
const bottomTypes: readonly BetTypeCode[] = ['2bottom', '1bottom']
let slotsOfTop: Int16Array[] | undefined
let slotsOfBottom: Int16Array[] | undefined

/** The quota slots that win with each of the 1,000 top results. */
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

/** The payout of each of the 1,000 top results, in satang, indexed by the result. */
export function payoutsByTop(payouts: Payouts): Float64Array {
  assertPayouts(payouts)
  return Float64Array.from(topSlots(), (slots) => sumOf(slots, payouts))
}

/** The payout of each of the 100 bottom results, in satang, indexed by the result. */
export function payoutsByBottom(payouts: Payouts): Float64Array {
  assertPayouts(payouts)
  return Float64Array.from(bottomSlots(), (slots) => sumOf(slots, payouts))
}

/** The payout of one result, in satang. Each winning number of each bet type is paid once. */
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

/** The numbers with the highest amounts. */
function listHighest(amount: (number: number) => number, count: number): number[] {
  return Array.from({ length: 1_000 }, (_, number) => number)
    .toSorted((one, other) => amount(other) - amount(one))
    .slice(0, count)
}

/**
 * The highest possible payout of front and back numbers, and numbers that cost it. A number drawn twice is paid once.
 * Only the four numbers with the highest payouts, alone and together, can be part of the worst case: a fifth could
 * always be replaced by one of them that is not drawn.
 */
export function worstNumbers(payouts: Payouts, bottom3_set: Bottom3Set): NumbersCase {
  assertPayouts(payouts)
  const front = (number: number) => payouts[FRONT + number] as number
  const back = (number: number) => payouts[BOTTOM3 + number] as number
  const forBack = listHighest(back, 4)
  const forFront =
    bottom3_set === 'back'
      ? listHighest(front, 2)
      : [
          ...new Set([
            ...listHighest(front, 4),
            ...listHighest((number) => front(number) + back(number), 4),
            ...forBack,
          ]),
        ]
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

/** A top and a bottom result, with the house's profit, or loss if below 0. */
export interface ResultCase {
  top: number
  bottom: number
  result_satang: number
}

/**
 * The worst pairs of a top and a bottom result, the worst first, without front and back numbers.
 * @param net_satang what the house has received, less discounts
 */
export function worstResults(payouts: Payouts, net_satang: number, count: number): ResultCase[] {
  const top = payoutsByTop(payouts)
  const bottom = payoutsByBottom(payouts)
  // Both parts of a worst pair are among the worst of their own.
  const worstOf = (amounts: Float64Array) =>
    Array.from(amounts.keys())
      .toSorted((one, other) => amounts[other]! - amounts[one]! || one - other)
      .slice(0, count)
  const bottoms = worstOf(bottom)
  return worstOf(top)
    .flatMap((one) =>
      bottoms.map((other) => ({ top: one, bottom: other, result_satang: net_satang - top[one]! - bottom[other]! })),
    )
    .toSorted(
      (one, other) => one.result_satang - other.result_satang || one.top - other.top || one.bottom - other.bottom,
    )
    .slice(0, count)
}

/** The payout of the worst possible result: the worst of each part of the draw. */
export function worstPayout(payouts: Payouts, bottom3_set: Bottom3Set): number {
  return (
    Math.max(...payoutsByTop(payouts)) +
    Math.max(...payoutsByBottom(payouts)) +
    worstNumbers(payouts, bottom3_set).payout_satang
  )
}

/** The distribution of the payout of a draw, with all results equally likely. */
export interface PayoutDistribution {
  /** The probability that the house pays more than it has, from 0 to 1. */
  loss_chance: number
  /** 99 of 100 draws cost at most this. */
  percentile_99_satang: number
  /**
   * 0: counted over every result. Otherwise payouts of front and back numbers were rounded up to steps of this size, so
   * probability and percentile are never too low.
   */
  resolution_satang: number
  /** The probability of each step of payouts, for a chart. */
  histogram: PayoutHistogram
}

/** Payouts from 0 up to the highest, in steps of equal size. */
export interface PayoutHistogram {
  step_satang: number
  /** The probability, from 0 to 1, that a draw costs at least index × step, and less than the next step. */
  chances: Float64Array
}

/** Maximum number of steps of a chart. */
const CHART_STEPS = 60

/** Adds up the probabilities of amounts that are listed in ascending order. */
function groupChances(amounts: ArrayLike<number>, chanceOf: (at: number) => number, count: number): PayoutHistogram {
  const most = count === 0 ? 0 : (amounts[count - 1] as number)
  const step_satang = Math.max(1, Math.ceil((most + 1) / CHART_STEPS))
  const chances = new Float64Array(Math.floor(most / step_satang) + 1)
  for (let at = 0; at < count; at++) chances[Math.floor((amounts[at] as number) / step_satang)]! += chanceOf(at)
  return { step_satang, chances }
}

/** Number of steps that payouts are rounded to if front and back numbers can win. */
const STEPS = 2_000
const PAIRS = TOP_RESULTS * BOTTOM_RESULTS

/** @param net_satang what the house has received, less discounts */
export function distributePayouts(payouts: Payouts, net_satang: number, bottom3_set: Bottom3Set): PayoutDistribution {
  const sums = addPairs(payoutsByTop(payouts), payoutsByBottom(payouts))
  const amounts = (first: number) =>
    Float64Array.from({ length: 1_000 }, (_, number) => payouts[first + number] as number)
  const back = amounts(BOTTOM3)
  const front = amounts(FRONT)
  if (bottom3_set === 'front+back') for (const number of front.keys()) front[number]! += back[number]!
  if (front.every((amount) => amount === 0) && back.every((amount) => amount === 0)) {
    sums.sort()
    const firstLoss = sums.findIndex((payout) => payout > net_satang)
    return {
      loss_chance: firstLoss < 0 ? 0 : (PAIRS - firstLoss) / PAIRS,
      percentile_99_satang: sums[Math.ceil(PAIRS * 0.99) - 1]!,
      resolution_satang: 0,
      histogram: groupChances(sums, () => 1 / PAIRS, PAIRS),
    }
  }
  const most =
    Math.max(...payoutsByTop(payouts)) +
    Math.max(...payoutsByBottom(payouts)) +
    2 * Math.max(...front) +
    2 * Math.max(...back)
  const resolution_satang = Math.max(1, Math.ceil(most / STEPS))
  let chances = spread(sums, resolution_satang)
  for (const numbers of [front, back]) chances = convolve(chances, spreadTwo(numbers, resolution_satang))
  let loss_chance = 0
  let sum = 0
  let percentile = -1
  for (const [step, chance] of chances.entries()) {
    if (step * resolution_satang > net_satang) loss_chance += chance
    sum += chance
    // Sums of fractions are not exact.
    if (percentile < 0 && sum >= 0.99 - 1e-12) percentile = step
  }
  const highest = chances.findLastIndex((chance) => chance > 0)
  const steps = Float64Array.from({ length: highest + 1 }, (_, step) => step * resolution_satang)
  return {
    loss_chance,
    percentile_99_satang: percentile * resolution_satang,
    resolution_satang,
    histogram: groupChances(steps, (step) => chances[step]!, steps.length),
  }
}

function addPairs(some: Float64Array, others: Float64Array): Float64Array {
  const sums = new Float64Array(some.length * others.length)
  let place = 0
  for (let at = 0; at < some.length; at++)
    for (let other = 0; other < others.length; other++) sums[place++] = some[at]! + others[other]!
  return sums
}

/** The probability of each step, with amounts rounded up. */
function spread(amounts: Float64Array, step_satang: number): Float64Array {
  const counts = new Float64Array(stepOf(findMost(amounts), step_satang) + 1)
  for (let at = 0; at < amounts.length; at++) counts[stepOf(amounts[at]!, step_satang)]! += 1
  return counts.map((count) => count / amounts.length)
}

/** The probability of each step of the cost of two drawn numbers together. A number drawn twice is paid once. */
function spreadTwo(numbers: Float64Array, step_satang: number): Float64Array {
  const counts = new Float64Array(stepOf(2 * findMost(numbers), step_satang) + 1)
  for (let one = 0; one < numbers.length; one++) {
    counts[stepOf(numbers[one]!, step_satang)]! += 1
    // Drawn in either order.
    for (let other = 0; other < one; other++) counts[stepOf(numbers[one]! + numbers[other]!, step_satang)]! += 2
  }
  return counts.map((count) => count / numbers.length ** 2)
}

const stepOf = (amount: number, step_satang: number): number => Math.ceil(amount / step_satang)

const findMost = (amounts: Float64Array): number => amounts.reduce((most, amount) => Math.max(most, amount), 0)

function convolve(some: Float64Array, others: Float64Array): Float64Array {
  const sums = new Float64Array(some.length + others.length - 1)
  for (let at = 0; at < some.length; at++) {
    const one = some[at]!
    if (one > 0) for (let place = 0; place < others.length; place++) sums[at + place]! += one * others[place]!
  }
  return sums
}
