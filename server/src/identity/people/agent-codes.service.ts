// The codes with which people register as members below an agent: its own, or those of an agent in its downline.

import { type AgentCode, type NamedPackage, REGISTRATIONS_PER_DAY } from '@megalot/contract'
import type { Db, Tx } from '../../postgres/db.ts'
import { Refusal } from '../../lib/refusal.ts'
import { refuseOldFactor } from '../../http/session-guards.ts'
import { getAccessibleUser, getCompanyId, makeAgentCode } from '../accounts/index.ts'
import { writeAudit } from '../../changes/audit/index.ts'
import { verifyCaller } from '../../changes/callers/index.ts'
import {
  type AgentCodeRecord,
  countCodesAlone,
  findCode,
  insertCode,
  type NewCode,
  listCodesOf,
  lockCode,
  saveActive,
} from './agent-codes.store.ts'
import { givesCreditOf, type PeopleActor } from './new-person.service.ts'
import { getPackagesHeldBy, packageNameOf } from './named-packages.ts'

/** An agent with so many codes, on or off, makes no more: each can be switched off, none is ever removed, and all are listed. */
const MAX_CODES = 1_000
/** Codes of one agent that are on at a time. */
const MAX_ACTIVE_CODES = 100

/** @throws Refusal not_found; not_allowed for members and office users, who have no codes */
export async function listAgentCodes(db: Db, actor: PeopleActor, user_id?: number): Promise<AgentCode[]> {
  const agent_id = await getAgentId(db, actor, user_id)
  return (await listCodesOf(db, agent_id)).map((record) => toAgentCode(actor, record))
}

async function getAgentId(db: Db, actor: PeopleActor, user_id?: number): Promise<number> {
  const agent_id = user_id ?? (actor.is_office ? await getCompanyId(db) : actor.principal_id)
  const { level, is_office } = await getAccessibleUser(db, actor, agent_id)
  if (level === 'member' || is_office) throw new Refusal('not_allowed')
  return agent_id
}

export interface NewAgentCode {
  user_id?: number | undefined
  packages?: readonly NamedPackage[] | undefined
  opening_credit_satang?: number | undefined
  registrations_per_day?: number | undefined
  is_email_optional?: boolean | undefined
}

/**
 * Makes a code. Members who register with it get these packages, and this credit as long as the agent has it left to give.
 * @throws Refusal not_found, not_allowed, permission_missing (opening credit without `credit.do`, or of another agent than the
 * actor's principal, unless the office gives it), package_not_held,
 * unknown_package, too_many_active (`MAX_ACTIVE_CODES`), too_many_requests (the agent has `MAX_CODES`)
 */
export async function createAgentCode(db: Db, actor: PeopleActor, given: NewAgentCode): Promise<AgentCode> {
  const {
    opening_credit_satang = 0,
    registrations_per_day = REGISTRATIONS_PER_DAY.default,
    is_email_optional = false,
  } = given
  const user_id = await getAgentId(db, actor, given.user_id)
  if (opening_credit_satang > 0) refuseWithoutCredit(actor, user_id)
  const found = given.packages && (await getPackagesHeldBy(db, user_id, given.packages))
  const package_ids = found?.map(({ package_id }) => package_id) ?? null
  return db.transaction().execute(async (tx) => {
    const { code_count, active_count } = await countCodesAlone(tx, user_id)
    if (code_count >= MAX_CODES) throw new Refusal('too_many_requests')
    refuseTooManyActive(active_count)
    const terms = { opening_credit_satang, registrations_per_day, is_email_optional }
    const code = await insertNewCode(tx, { user_id, package_ids, ...terms })
    // The insert waits for who holds the agent. The age of the factor: the contract's row, which is verified again too.
    const now = await verifyCaller(tx, actor)
    if (opening_credit_satang > 0) refuseWithoutCredit(now, user_id)
    const packages = found?.map(packageNameOf) ?? 'all'
    const after = { code, packages, ...terms }
    await writeAudit(tx, { actor_id: actor.actor_id, action: 'add_agent_code', subject: `user:${user_id}`, after })
    return toAgentCode(now, (await findCode(tx, code))!)
  })
}

async function insertNewCode(tx: Tx, gives: Omit<NewCode, 'code'>): Promise<string> {
  let code = makeAgentCode()
  while (!(await insertCode(tx, { code, ...gives }))) code = makeAgentCode()
  return code
}

/**
 * Switches a code off, or on again: nobody registers with one that is off. One with opening credit gives credit from then on,
 * so it is switched on as credit is given.
 * @throws Refusal not_found (no such code, or not of the actor's downline), permission_missing (opening credit without
 * `credit.do`, or of another agent, as above), step_up_needed (opening credit), too_many_active
 */
export async function switchAgentCode(
  db: Db,
  actor: PeopleActor,
  given_code: string,
  { is_active, reason }: { is_active: boolean; reason: string },
): Promise<AgentCode> {
  const code = given_code.toUpperCase()
  const stored = await findCode(db, code)
  if (!stored) throw new Refusal('not_found')
  await getAccessibleUser(db, actor, stored.user_id)
  const gives = is_active && stored.opening_credit_satang > 0
  if (gives) {
    refuseWithoutCredit(actor, stored.user_id)
    refuseOldFactor(actor)
  }
  return db.transaction().execute(async (tx) => {
    if (is_active) {
      const { active_count } = await countCodesAlone(tx, stored.user_id)
      if (!(await findCode(tx, code))!.is_active) refuseTooManyActive(active_count)
    }
    const wasActive = await lockCode(tx, code)
    const now = await verifyCaller(tx, actor)
    if (gives) {
      refuseWithoutCredit(now, stored.user_id)
      refuseOldFactor(now)
    }
    if (wasActive !== is_active) {
      await saveActive(tx, code, is_active)
      await writeAudit(tx, {
        actor_id: actor.actor_id,
        action: 'switch_agent_code',
        subject: `user:${stored.user_id}`,
        before: { code, is_active: wasActive },
        after: { code, is_active },
        reason,
      })
    }
    return toAgentCode(now, (await findCode(tx, code))!)
  })
}

/** @throws Refusal too_many_active */
function refuseTooManyActive(active_count: number): void {
  if (active_count >= MAX_ACTIVE_CODES) throw new Refusal('too_many_active', { most: MAX_ACTIVE_CODES })
}

/** @throws Refusal permission_missing */
function refuseWithoutCredit(actor: PeopleActor, agent_id: number): void {
  if (!actor.permissions.has('credit.do') || !givesCreditOf(actor, agent_id))
    throw new Refusal('permission_missing', { field: 'opening_credit_satang' })
}

function toAgentCode({ permissions }: PeopleActor, { packages, ...record }: AgentCodeRecord): AgentCode {
  return {
    ...record,
    ...(permissions.has('terms.view') ? { packages } : {}),
    opening_credit_satang: permissions.has('credit.view') ? record.opening_credit_satang : null,
    created_at: record.created_at.toISOString(),
    link: `/auth/register?code=${record.code}`,
  }
}
