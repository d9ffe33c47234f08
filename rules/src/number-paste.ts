// Reads numbers from pasted text, for lists of numbers: no amounts, any separators.

import { expandSixDoors } from './doors.ts'
import { toPlainText } from './import-prepare.ts'

/** Maximum length of a text; longer text is cut. */
export const MAX_PASTE_CHARACTERS = 100_000

export interface PastedNumbers {
  /** Each once, in text order. */
  numbers: string[]
  /** Repeated numbers, each once. */
  doubled: string[]
  /**
   * Anything with digits that is no number of one to three digits, as pasted, each once: longer numbers, digits among
   * letters.
   */
  unknown: string[]
}

/**
 * Reads numbers of one to three digits. Thai and full-width digits count as digits; anything that is neither letter nor
 * digit separates. Words without a digit are ignored, because lists are pasted with headings.
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

/** All orders of the digits of a number of one to three digits, ascending, each once. */
export function permuteNumber(number: string): readonly string[] {
  if (number.length === 3) return expandSixDoors(number)
  if (number.length === 2) return [...new Set([number, number[1]! + number[0]!])].toSorted()
  return [number]
}
