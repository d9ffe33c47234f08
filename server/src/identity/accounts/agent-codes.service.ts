// Codes with which people register as members under an agent.

import { randomInt } from 'node:crypto'
import { REGISTRATIONS_PER_DAY } from '@megalot/contract'
import { sql } from 'kysely'
import { bangkokToday } from '../../lib/bangkok.ts'
import type { Db, Tx } from '../../postgres/db.ts'
import { Refusal } from '../../lib/refusal.ts'

/** Without characters that are easily confused when read aloud. */
const ALPHABET = 'ACDEFHJKMNPRTUVWXY34679'
const CODE_LENGTH = 8

/** What a person who registers with a code gets. */
export interface AgentOfCode {
  code: string
  user_id: number
  /** Null for all packages of the agent. */
  package_ids: number[] | null
  opening_credit_satang: number
  registrations_per_day: number
  /** Whether registration without a mail address is allowed. */
  is_email_optional: boolean
  /** It has reached today's limit of registrations. */
  is_spent_today: boolean
}

/** A new code, almost certainly unused: there are 78 thousand million. */
export function makeAgentCode(): string {
  return Array.from({ length: CODE_LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')
}

/** Adds an agent's code; an existing code stays unchanged. */
export async function addAgentCode(tx: Tx, user_id: number, code: string): Promise<void> {
  await tx
    .insertInto('agent_codes')
    .values({ code, user_id, registrations_per_day: REGISTRATIONS_PER_DAY.default })
    .onConflict((on) => on.doNothing())
    .execute()
}

/** The agent of a code; undefined if the code is inactive or its agent is suspended. */
export async function findAgentByCode(db: Db, code: string): Promise<AgentOfCode | undefined> {
  return db
    .selectFrom('agent_codes')
    .innerJoin('users', 'users.user_id', 'agent_codes.user_id')
    .select(['code', 'users.user_id', 'agent_codes.package_ids', 'opening_credit_satang', 'registrations_per_day'])
    .select('is_email_optional')
    .select(
      sql<boolean>`coalesce(registration_day >= ${bangkokToday}, false) and registrations_of_day >= registrations_per_day`.as(
        'is_spent_today',
      ),
    )
    .where('code', '=', code.toUpperCase())
    .where('is_active', '=', true)
    .where('level', '!=', 'member')
    .where('is_office', '=', false)
    .where('status_in_force', '!=', 'SUSPENDED')
    .executeTakeFirst()
}

/**
 * Counts a registration at the start of its transaction. Concurrent registrations with one code, on all nodes, wait for
 * each other here. A clock that steps back over midnight does not restart the day.
 * @throws Refusal registration_limit_reached; wrong_agent_code if the code was switched off, or its agent suspended,
 * since it was looked up
 */
export async function countRegistration(tx: Tx, code: string): Promise<void> {
  const { numAffectedRows } = await sql`
    update agent_codes set registration_day = greatest(registration_day, ${bangkokToday}),
      registrations_of_day = case when registration_day >= ${bangkokToday} then registrations_of_day + 1 else 1 end
    where code = ${code}
      and (registration_day is null or registration_day < ${bangkokToday} or registrations_of_day < registrations_per_day)`.execute(
    tx,
  )
  if (!(await findAgentByCode(tx, code))) throw new Refusal('wrong_agent_code')
  if (numAffectedRows === 0n) throw new Refusal('registration_limit_reached')
}
