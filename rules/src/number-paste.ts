// Numbers out of pasted text, for lists of numbers: no amounts, any separators.

import { expandSixDoors } from './doors.ts'
import { toPlainText } from './import-prepare.ts'

/** The longest text that is read; longer text is cut. */
export const MAX_PASTE_CHARACTERS = 100_000

export interface PastedNumbers {
  /** Each once, in the order of the text. */
  numbers: string[]
  /** Numbers that came again, each once. */
  doubled: string[]
  /** What is no number of one to three digits, as it was pasted, each once: longer ones, digits among letters. */
  unknown: string[]
}

/**
 * Reads numbers of one to three digits. Thai digits and those of full width count as digits; everything that is neither a
 * letter nor a digit separates. Words without a digit are left out silently: lists are pasted with their headings.
 */
export function readPastedNumbers(text: string): PastedNumbers {
  const numbers = new Set<string>()
  const doubled = new Set<string>()
  const unknown = new Set<string>()
  for (const token of toPlainText(text.slice(0, MAX_PASTE_CHARACTERS)).match(/[\p{L}\p{M}\p{N}]+/gu) ?? []) {
    if (/^[0-9]{1,3}$/.test(token)) (numbers.has(token) ? doubled : numbers).add(token)
    else if (/\p{N}/u.test(token)) unknown.add(token)
  }
  return { numbers: [...numbers], doubled: [...doubled], unknown: [...unknown] }
}

/** Every order of the digits of a number of one to three digits, ascending, each once. */
export function permuteNumber(number: string): readonly string[] {
  if (number.length === 3) return expandSixDoors(number)
  if (number.length === 2) return [...new Set([number, number[1]! + number[0]!])].toSorted()
  return [number]
}
