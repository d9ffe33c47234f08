// Bounds of a day in Bangkok on registrations, besides that of the agent's code.

import type { Db, Tx } from '../../platform/db.ts'
import { Refusal } from '../../platform/refusal.ts'
import { countToday, type DayBound, isSpentToday } from '../sessions/index.ts'

/**
 * Registrations with one mail address in a day. More would wait for their mails longer with each day, and whoever owns the address
 * among them.
 */
const REGISTRATIONS_OF_ADDRESS_A_DAY = 10

const addressBoundOf = (email: string): DayBound => ({
  subject: `registration-address:${email.toLowerCase()}`,
  most: REGISTRATIONS_OF_ADDRESS_A_DAY,
})

/** Before the password is hashed. @throws Refusal email_limit_reached */
export async function refuseSpentAddress(db: Db, email: string): Promise<void> {
  if (await isSpentToday(db, addressBoundOf(email))) throw new Refusal('email_limit_reached')
}

/** Counts a registration in its transaction. @throws Refusal email_limit_reached */
export async function countAddress(tx: Tx, email: string): Promise<void> {
  if (!(await countToday(tx, addressBoundOf(email)))) throw new Refusal('email_limit_reached')
}
