// Daily limits on registrations, in Bangkok days, in addition to the agent code's.

import type { Db, Tx } from '../../postgres/db.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { AgentOfCode } from '../accounts/index.ts'
import { countToday, type DayBound, isDailyLimitReached } from '../sessions/index.ts'

/**
 * Registrations with, and changes to, one mail address per day. With more, mails would be delayed further each day,
 * including those to the address's owner.
 */
const REGISTRATIONS_OF_ADDRESS_A_DAY = 10

const addressBoundOf = (email: string): DayBound => ({
  subject: `registration-address:${email.toLowerCase()}`,
  most: REGISTRATIONS_OF_ADDRESS_A_DAY,
})

/**
 * Called before the password is hashed.
 * @throws Refusal email_limit_reached
 */
export async function refuseAddressOverLimit(db: Db, email: string): Promise<void> {
  if (await isDailyLimitReached(db, addressBoundOf(email))) throw new Refusal('email_limit_reached')
}

/**
 * Counts an address in the transaction that stores it.
 * @throws Refusal email_limit_reached
 */
export async function countAddress(tx: Tx, email: string): Promise<void> {
  if (!(await countToday(tx, addressBoundOf(email)))) throw new Refusal('email_limit_reached')
}

type Code = Pick<AgentOfCode, 'code' | 'registrations_per_day'>

/**
 * Taken names that may be tried per code and day, as many as registrations, so that a code does not help to find out
 * usernames.
 */
const nameBoundOf = ({ code, registrations_per_day }: Code): DayBound => ({
  subject: `registration-names:${code}`,
  most: registrations_per_day,
})

/**
 * Called before the name is looked up.
 * @throws Refusal registration_limit_reached
 */
export async function refuseNamesOverLimit(db: Db, code: Code): Promise<void> {
  if (await isDailyLimitReached(db, nameBoundOf(code))) throw new Refusal('registration_limit_reached')
}

/**
 * Counts a taken name.
 * @throws Refusal username_taken, or registration_limit_reached if others have used up the limit meanwhile
 */
export async function refuseTakenNameOfCode(db: Db, code: Code): Promise<never> {
  throw new Refusal((await countToday(db, nameBoundOf(code))) ? 'username_taken' : 'registration_limit_reached')
}
