// The nine bet types and when each one wins.
//
//   3top     three digits, exactly as drawn            2top     the last two of the three
//   3roll    the same three digits in any order        2bottom  the two-digit prize
//   3front   one of the two front numbers              2roll    two of the three digits, in any order
//   3bottom  one of the back numbers                   1top     a digit of the three    1bottom  a digit of the two
//
// Every bet type has two definitions: `wins` tests one number, `winningNumbers` lists them all. They are written
// independently on purpose, and the tests compare them over every result.

import type { BetTypeCode } from './bet-type-code.ts'
import type { DrawResult } from './draw-result.ts'

/** Which prizes `3bottom` counts: the back numbers only (the usual rule), or the front numbers as well. */
export type Bottom3Set = 'back' | 'front+back'

/** One bet type: its names, how many digits it takes, and which numbers win. */
export interface BetType {
  readonly code: BetTypeCode
  readonly name_th: string
  readonly name_en: string
  readonly digits: 1 | 2 | 3
  /**
   * Whether a number wins. A bet type pays a number at most once per draw. A text without exactly `digits` characters
   * never wins.
   */
  readonly wins: (number: string, result: DrawResult, bottom3_set?: Bottom3Set) => boolean
  /** All winning numbers, ascending, without repeats. Settlement joins on this list. */
  readonly winningNumbers: (result: DrawResult, bottom3_set?: Bottom3Set) => readonly string[]
  /**
   * The number under which the house counts accepted stakes. Rolls have their digits in
   * ascending order, because 123 and 321 are the same bet; all others are the number itself.
   */
  readonly quotaKey: (number: string) => string
}

/** The digits in ascending order, so that numbers with the same digits become equal text. */
export function sortDigits(number: string): string {
  if (number.length !== 3) return [...number].sort().join('')
  // Intake calls this for every roll, so three digits are sorted without an array.
  const [first, second, third] = number as unknown as [string, string, string]
  const low = first < second ? first : second
  const high = first < second ? second : first
  if (third >= high) return low + high + third
  return third >= low ? low + third + high : third + low + high
}

function countDigit(digit: string, number: string): number {
  return number.split(digit).length - 1
}

function sortedSet(numbers: Iterable<string>): readonly string[] {
  return [...new Set(numbers)].sort()
}

/** Both orders of every two of the three digits, taken by position: 745 → 74 47 75 57 45 54. */
function pairsOfDigits(top3: string): readonly string[] {
  const pairs: string[] = []
  for (let first = 0; first < top3.length; first++) {
    for (let second = 0; second < top3.length; second++) {
      if (first !== second) pairs.push(top3.charAt(first) + top3.charAt(second))
    }
  }
  return pairs
}

function rearrangements(top3: string): readonly string[] {
  return pairsOfDigits(top3).map((pair) => {
    // The digit outside the pair completes it to three.
    const left = [...pair].reduce((rest, digit) => rest.replace(digit, ''), top3)
    return pair + left
  })
}

function bottom3Numbers(result: DrawResult, bottom3_set: Bottom3Set): readonly string[] {
  const back = result.back3 ?? []
  return bottom3_set === 'front+back' ? [...(result.front3 ?? []), ...back] : back
}

const itself = (number: string): string => number

const top3Type: BetType = {
  code: '3top',
  name_th: '3 ตัวบน',
  name_en: '3 top',
  digits: 3,
  wins: (number, result) => number.length === 3 && number === result.top3,
  winningNumbers: (result) => [result.top3],
  quotaKey: itself,
}

const roll3Type: BetType = {
  code: '3roll',
  name_th: '3 ตัวโต๊ด',
  name_en: '3 roll',
  digits: 3,
  wins: (number, result) => number.length === 3 && sortDigits(number) === sortDigits(result.top3),
  winningNumbers: (result) => sortedSet(rearrangements(result.top3)),
  quotaKey: sortDigits,
}

const front3Type: BetType = {
  code: '3front',
  name_th: '3 ตัวหน้า',
  name_en: '3 front',
  digits: 3,
  wins: (number, result) => number.length === 3 && (result.front3 ?? []).includes(number),
  winningNumbers: (result) => sortedSet(result.front3 ?? []),
  quotaKey: itself,
}

const bottom3Type: BetType = {
  code: '3bottom',
  name_th: '3 ตัวล่าง',
  name_en: '3 bottom',
  digits: 3,
  wins: (number, result, bottom3_set = 'back') =>
    number.length === 3 && bottom3Numbers(result, bottom3_set).includes(number),
  winningNumbers: (result, bottom3_set = 'back') => sortedSet(bottom3Numbers(result, bottom3_set)),
  quotaKey: itself,
}

const top2Type: BetType = {
  code: '2top',
  name_th: '2 ตัวบน',
  name_en: '2 top',
  digits: 2,
  wins: (number, result) => number.length === 2 && result.top3.endsWith(number),
  winningNumbers: (result) => [result.top3.slice(1)],
  quotaKey: itself,
}

const bottom2Type: BetType = {
  code: '2bottom',
  name_th: '2 ตัวล่าง',
  name_en: '2 bottom',
  digits: 2,
  wins: (number, result) => number.length === 2 && number === result.bottom2,
  winningNumbers: (result) => [result.bottom2],
  quotaKey: itself,
}

const roll2Type: BetType = {
  code: '2roll',
  name_th: '2 ตัวโต๊ด',
  name_en: '2 roll',
  digits: 2,
  // 55 needs two fives: the result must contain every digit at least as often as the number does.
  wins: (number, result) =>
    number.length === 2 && [...number].every((digit) => countDigit(digit, result.top3) >= countDigit(digit, number)),
  winningNumbers: (result) => sortedSet(pairsOfDigits(result.top3)),
  quotaKey: sortDigits,
}

const top1Type: BetType = {
  code: '1top',
  name_th: 'วิ่งบน',
  name_en: '1 top (run)',
  digits: 1,
  wins: (number, result) => number.length === 1 && result.top3.includes(number),
  winningNumbers: (result) => sortedSet(result.top3),
  quotaKey: itself,
}

const bottom1Type: BetType = {
  code: '1bottom',
  name_th: 'วิ่งล่าง',
  name_en: '1 bottom (run)',
  digits: 1,
  wins: (number, result) => number.length === 1 && result.bottom2.includes(number),
  winningNumbers: (result) => sortedSet(result.bottom2),
  quotaKey: itself,
}

/** All bet types, in the order of `betTypeCodes`. */
export const betTypes: readonly BetType[] = [
  top3Type,
  roll3Type,
  front3Type,
  bottom3Type,
  top2Type,
  bottom2Type,
  roll2Type,
  top1Type,
  bottom1Type,
]

/** Every bet type by its code. */
export const betTypeByCode: Readonly<Record<BetTypeCode, BetType>> = {
  '3top': top3Type,
  '3roll': roll3Type,
  '3front': front3Type,
  '3bottom': bottom3Type,
  '2top': top2Type,
  '2bottom': bottom2Type,
  '2roll': roll2Type,
  '1top': top1Type,
  '1bottom': bottom1Type,
}

/** Whether a text is the code of a bet type. */
export function isBetTypeCode(code: string): code is BetTypeCode {
  return Object.hasOwn(betTypeByCode, code)
}

/** Whether a text is a valid number of a bet type: exactly as many Arabic digits as the type takes. */
export function isNumberOf(code: BetTypeCode, number: string): boolean {
  return number.length === betTypeByCode[code].digits && /^[0-9]+$/.test(number)
}
