// Numbers every possible bet: nine bet types with all their numbers are 4 × 1,000 + 3 × 100 + 2 × 10 = 4,320 bets. A bet's slot is its index in this sequence, so data per bet fits a plain array and is looked up
// without comparing text. Tickets store slots, so a slot never changes. Database functions repeat the numbers:
// `bet_type_of` and `number_of` (`0006-orders.sql`), `winning_slots` (`0008-awards.sql`).

import type { BetTypeCode } from './bet-type-code.ts'
import { betTypeByCode, betTypes } from './bet-type.ts'

const CODE_OF_0 = 48

/** The first slot of each bet type. */
const firstSlot = new Map<BetTypeCode, number>()
let slots = 0
for (const { code, digits } of betTypes) {
  firstSlot.set(code, slots)
  slots += 10 ** digits
}

/** The number of slots: 4,320. */
export const SLOT_COUNT: number = slots

/** The slot of a bet, 0…4,319. Expects a number that `isNumberOf` accepts. */
export function slotOf(bet_type: BetTypeCode, number: string): number {
  return (firstSlot.get(bet_type) as number) + Number(number)
}

/**
 * Bet types by the first digit and the length of their codes, which together identify them. Intake looks one up for
 * every line, and comparing text would take longer than the rest of the decision.
 */
const CODE_LENGTHS = 8
const typeByShape: ({ code: BetTypeCode; digits: number; first: number } | undefined)[] = []
for (const { code, digits } of betTypes) {
  const shape = (code.charCodeAt(0) - CODE_OF_0) * CODE_LENGTHS + code.length
  if (code.length >= CODE_LENGTHS || typeByShape[shape])
    throw new Error(`the code ${code} has the shape of another one`)
  typeByShape[shape] = { code, digits, first: firstSlot.get(code) as number }
}

/** The slot of an unchecked bet; -1 if the bet type does not exist or the number does not fit it. */
export function findSlot(bet_type: BetTypeCode, number: string): number {
  const type = typeByShape[(bet_type.charCodeAt(0) - CODE_OF_0) * CODE_LENGTHS + bet_type.length]
  if (type?.code !== bet_type || number.length !== type.digits) return -1
  let value = 0
  for (let index = 0; index < number.length; index++) {
    const digit = number.charCodeAt(index) - CODE_OF_0
    if (digit < 0 || digit > 9) return -1
    value = value * 10 + digit
  }
  return type.first + value
}

/**
 * The slots of every bet a number can mean: all bet types of its length, and rolls in every order of its digits. Empty
 * if the text is no number of any bet type.
 */
export function slotsOfNumber(number: string): readonly number[] {
  return betTypes.flatMap(({ code, digits, quotaKey }) => {
    if (findSlot(code, number) < 0) return []
    const first = firstSlot.get(code) as number
    const key = quotaKey(number)
    const values = Array.from({ length: 10 ** digits }, (_, value) => value)
    return values.filter((value) => quotaKey(String(value).padStart(digits, '0')) === key).map((value) => first + value)
  })
}

const typeIndexes = new Uint8Array(SLOT_COUNT)
const quotaSlots = new Int16Array(SLOT_COUNT)
for (const [index, { code, digits, quotaKey }] of betTypes.entries()) {
  const first = firstSlot.get(code) as number
  for (let value = 0; value < 10 ** digits; value++) {
    typeIndexes[first + value] = index
    quotaSlots[first + value] = first + Number(quotaKey(String(value).padStart(digits, '0')))
  }
}

/** The index in `betTypes` of a slot's bet type. */
export function typeIndexOf(slot: number): number {
  return typeIndexes[slot] as number
}

/** The slot under which the house counts a bet: for a roll, its digits in ascending order. */
export function quotaSlotOf(slot: number): number {
  return quotaSlots[slot] as number
}

/** The bet of a slot, or `null` if the slot does not exist. */
export function betOfSlot(slot: number): { bet_type: BetTypeCode; number: string } | null {
  if (!Number.isInteger(slot) || slot < 0 || slot >= SLOT_COUNT) return null
  const bet_type = betTypes.findLast(({ code }) => (firstSlot.get(code) as number) <= slot)?.code as BetTypeCode
  const value = slot - (firstSlot.get(bet_type) as number)
  return { bet_type, number: String(value).padStart(betTypeByCode[bet_type].digits, '0') }
}
