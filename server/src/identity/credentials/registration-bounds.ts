// Bounds of a day in Bangkok on registrations, besides that of the agent's code.

import type { Db, Tx } from '../../postgres/db.ts'
import { Refusal } from '../../lib/refusal.ts'
import type { AgentOfCode } from '../accounts/index.ts'
import { countToday, type DayBound, isSpentToday } from '../sessions/index.ts'

/**
 * Registrations and changes to one mail address in a day. More would wait for their mails longer with each day, the owner of the address
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

/** Counts an address in the transaction that stores it. @throws Refusal email_limit_reached */
export async function countAddress(tx: Tx, email: string): Promise<void> {
  if (!(await countToday(tx, addressBoundOf(email)))) throw new Refusal('email_limit_reached')
}

type Code = Pick<AgentOfCode, 'code' | 'registrations_per_day'>

/** With one code so many taken names are asked for in a day as members may register with it: who has a code learns no more of them. */
const nameBoundOf = ({ code, registrations_per_day }: Code): DayBound => ({
  subject: `registration-names:${code}`,
  most: registrations_per_day,
})

/** Before the name is looked up. @throws Refusal registration_limit_reached */
export async function refuseSpentNames(db: Db, code: Code): Promise<void> {
  if (await isSpentToday(db, nameBoundOf(code))) throw new Refusal('registration_limit_reached')
}

/** Counts a name that is taken. @throws Refusal username_taken, or registration_limit_reached: others have used up the bound meanwhile */
export async function refuseTakenNameOfCode(db: Db, code: Code): Promise<never> {
  throw new Refusal((await countToday(db, nameBoundOf(code))) ? 'username_taken' : 'registration_limit_reached')
}
