// Jubwin (จับวิน): every number that can be made from a set of digits. N is the count of
// different digits; a digit typed twice counts once, and the order of typing does not matter.
//
//   2D              every ordered pair of different digits                                N(N−1)
//   3D              every ordered triple of different digits                              N(N−1)(N−2)
//   3D two-tails    the last two digits are such a pair, the first is free 0–9            10·N(N−1)
//
// Options:
//   double            chosen digits may repeat: pairs aa; triples aab, aba, abb, aaa; tails aa
//   no_front_double   drops the shape aab          } of all three digits, the free one included; a triple aaa is none
//   no_split          drops the shape aba          } of the three shapes. They do not apply to 2D, and are off with
//   no_back_double    drops the shape abb          } `roll`, whose numbers have no order.
//   roll              each multiset once, in ascending digits, for the roll bet type only
//
// Numbers come in ascending order.

import { sortDigits } from './bet-type.ts'
import { tenDigits } from './number-row.ts'

export const jubwinOptionCodes = ['roll', 'double', 'no_front_double', 'no_split', 'no_back_double'] as const
export type JubwinOptionCode = (typeof jubwinOptionCodes)[number]

/** Which options are on. */
export type JubwinOptions = Readonly<Partial<Record<JubwinOptionCode, boolean>>>

/** The name of an option on screen. */
export interface JubwinOption {
  readonly code: JubwinOptionCode
  readonly name_th: string
  readonly name_en: string
}

export const jubwinOptions: readonly JubwinOption[] = [
  { code: 'roll', name_th: 'โต๊ด', name_en: 'Roll' },
  { code: 'double', name_th: 'รวมเบิ้ล/ตอง', name_en: 'Double/triple' },
  { code: 'no_front_double', name_th: 'ไม่เอาเบิ้ลหน้า', name_en: 'No front double' },
  { code: 'no_split', name_th: 'ไม่เอาหาม', name_en: 'No split' },
  { code: 'no_back_double', name_th: 'ไม่เอาเบิ้ลหลัง', name_en: 'No back double' },
]

/** Whether an option has an effect given the others: with `roll` the three "no …" options have none. */
export function isJubwinOptionEnabled(code: JubwinOptionCode, options: JubwinOptions): boolean {
  return options.roll !== true || code === 'roll' || code === 'double'
}

/** The different digits of an input, ascending. */
export function chosenDigits(input: string): readonly string[] {
  return [...new Set(input)].sort()
}

/** Whether the options keep the shape of three digits. */
function isShapeKept(first: string, second: string, third: string, options: JubwinOptions): boolean {
  if (options.roll === true || (first === second && second === third)) return true
  if (first === second) return options.no_front_double !== true
  if (first === third) return options.no_split !== true
  return second !== third || options.no_back_double !== true
}

/** With `roll`, each multiset once in ascending digits; otherwise the numbers unchanged. */
function asChosen(numbers: readonly string[], options: JubwinOptions): readonly string[] {
  return options.roll === true ? [...new Set(numbers.map(sortDigits))].sort() : numbers
}

/** Jubwin 2D: ordered pairs of the chosen digits. */
export function expandJubwin2(input: string, options: JubwinOptions): readonly string[] {
  const digits = chosenDigits(input)
  const pairs = digits.flatMap((first) =>
    digits.filter((second) => first !== second || options.double === true).map((second) => first + second),
  )
  return asChosen(pairs, options)
}

/** Jubwin 3D: ordered triples of the chosen digits. */
export function expandJubwin3(input: string, options: JubwinOptions): readonly string[] {
  const digits = chosenDigits(input)
  const numbers: string[] = []
  for (const first of digits)
    for (const second of digits)
      for (const third of digits) {
        const isDifferent = first !== second && first !== third && second !== third
        if ((isDifferent || options.double === true) && isShapeKept(first, second, third, options))
          numbers.push(first + second + third)
      }
  return asChosen(numbers, options)
}

/** Jubwin 3D two-tails: any first digit before a pair of the chosen digits. */
export function expandJubwinTwoTails(input: string, options: JubwinOptions): readonly string[] {
  const digits = chosenDigits(input)
  const numbers: string[] = []
  for (const first of tenDigits)
    for (const second of digits)
      for (const third of digits)
        if ((second !== third || options.double === true) && isShapeKept(first, second, third, options))
          numbers.push(first + second + third)
  return asChosen(numbers, options)
}
