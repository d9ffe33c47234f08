// Doors (ประตู): one short entry that expands to every number with the given digits.
//
//   6 doors    a 3-digit number in every order of its digits:      123 → 123 132 213 231 312 321   (6, 3 or 1)
//   19 doors   every 2-digit number that holds the digit:            5 → 50 … 59, then 05 15 … 95   (19)
//
// Doors take exactly three digits or exactly one.

import { betTypeByCode } from './bet-type.ts'
import { tenDigits } from './number-row.ts'

/** All orders of the three digits, ascending, each once. Expects three digits. */
export function expandSixDoors(number: string): readonly string[] {
  // The doors of a number are the winners of a roll bet: numbers with the same digits.
  return betTypeByCode['3roll'].winningNumbers({ top3: number, bottom2: '' })
}

/** The nineteen 2-digit numbers with the digit: first as front digit, then as back digit, the double once. */
export function expandNineteenDoors(digit: string): readonly string[] {
  const front = tenDigits.map((other) => digit + other)
  const back = tenDigits.filter((other) => other !== digit).map((other) => other + digit)
  return [...front, ...back]
}

/** The doors that an input expands to: 19 for one digit, 6 for three digits, none otherwise. */
export function findDoors(input: string): 'nineteen_doors' | 'six_doors' | null {
  if (!/^[0-9]+$/.test(input)) return null
  if (input.length === 1) return 'nineteen_doors'
  return input.length === 3 ? 'six_doors' : null
}
