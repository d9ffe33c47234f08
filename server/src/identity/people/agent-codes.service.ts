// The codes with which people register as members below an agent: its own, or those of an agent in its downline.

import * as contract from '@megalot/contract'
import { type AgentCode, REGISTRATIONS_PER_DAY } from '@megalot/contract'
import * as z from 'zod/mini'
import { type ChangeCaller, defineChange, type Lock } from '../../changes/index.ts'
import type { Caller, Scope } from '../../http/caller.ts'
import type { Db, Tx } from '../../postgres/db.ts'
import { Refusal } from '../../lib/refusal.ts'
import { refuseOldFactor } from '../../http/session-guards.ts'
import { getAccessibleUser, getCompanyId, makeAgentCode } from '../accounts/index.ts'
import {
  type AgentCodeRecord,
  countCodes,
  findCode,
  insertCode,
  type NewCode,
  listCodesOf,
  lockCodes,
  saveActive,
} from './agent-codes.store.ts'
import { givesCreditOf } from './new-person.service.ts'
import { getPackagesHeldBy, packageNameOf } from './named-packages.ts'

/** An agent with so many codes, on or off, makes no more: each can be switched off, none is ever removed, and all are listed. */
const MAX_CODES = 1_000
/** Codes of one agent that are on at a time. */
const MAX_ACTIVE_CODES = 100

/** @throws Refusal not_found; not_allowed for members and office users, who have no codes */
export async function listAgentCodes(
  db: Db,
  actor: Scope & Pick<Caller, 'permissions'>,
  user_id?: number,
): Promise<AgentCode[]> {
  const agent_id = await getAgentId(db, actor, user_id)
  return (await listCodesOf(db, agent_id)).map((record) => toAgentCode(actor, record))
}

async function getAgentId(db: Db, actor: Scope, user_id?: number): Promise<number> {
  const agent_id = user_id ?? (actor.is_office ? await getCompanyId(db) : actor.principal_id)
  const { level, is_office } = await getAccessibleUser(db, actor, agent_id)
  if (level === 'member' || is_office) throw new Refusal('not_allowed')
  return agent_id
}

/** Locks the agent's codes: none is made or switched until the transaction ends. */
const lockOfCodes = (agent_id: number): Lock => ({
  rank: 'agentCodes',
  key: `${agent_id}`,
  take: (tx) => lockCodes(tx, agent_id),
})

/**
 * Makes a code. Members who register with it get these packages, and this credit as long as the agent has it left to give.
 * @throws Refusal not_found, not_allowed, permission_missing (opening credit without `credit.do`, or of another agent than the
 * caller's principal, unless the office gives it), package_not_held,
 * unknown_package, too_many_active (`MAX_ACTIVE_CODES`), too_many_requests (the agent has `MAX_CODES`)
 */
export const createAgentCode = defineChange({
  name: 'add_agent_code',
  needs: 'people.do',
  input: contract.createAgentCode.body,
  async find(db, { user_id, packages, opening_credit_satang = 0 }, caller) {
    const agent_id = await getAgentId(db, caller, user_id)
    if (opening_credit_satang > 0) refuseWithoutCredit(caller, agent_id)
    return { agent_id, found: packages && (await getPackagesHeldBy(db, agent_id, packages)) }
  },
  locks: (_input, { agent_id }) => [lockOfCodes(agent_id)],
  load: async ({ tx }, _input, found) => ({ ...found, ...(await countCodes(tx, found.agent_id)) }),
  decide({ agent_id, found, code_count, active_count }, input, { caller }) {
    if (code_count >= MAX_CODES) throw new Refusal('too_many_requests')
    refuseTooManyActive(active_count)
    const {
      opening_credit_satang = 0,
      registrations_per_day = REGISTRATIONS_PER_DAY.default,
      is_email_optional = false,
    } = input
    if (opening_credit_satang > 0) refuseWithoutCredit(caller, agent_id)
    return { plan: { agent_id, found, terms: { opening_credit_satang, registrations_per_day, is_email_optional } } }
  },
  async write({ tx, by }, { agent_id, found, terms }) {
    const package_ids = found?.map(({ package_id }) => package_id) ?? null
    const code = await insertNewCode(tx, { user_id: agent_id, package_ids, ...terms })
    const after = { code, packages: found?.map(packageNameOf) ?? 'all', ...terms }
    return {
      outcome: toAgentCode(by.caller, (await findCode(tx, code))!),
      rows: [{ subject: `user:${agent_id}`, after }],
    }
  },
})

async function insertNewCode(tx: Tx, gives: Omit<NewCode, 'code'>): Promise<string> {
  let code = makeAgentCode()
  while (!(await insertCode(tx, { code, ...gives }))) code = makeAgentCode()
  return code
}

/**
 * Switches a code off, or on again: nobody registers with one that is off. One with opening credit gives credit from then on,
 * so it is switched on as credit is given.
 * @throws Refusal not_found (no such code, or not of the caller's downline), permission_missing (opening credit without
 * `credit.do`, or of another agent, as above), step_up_needed (opening credit), too_many_active
 */
export const switchAgentCode = defineChange({
  name: 'switch_agent_code',
  needs: 'people.do',
  input: z.strictObject({ code: z.string(), is_active: z.boolean() }),
  async find(db, { code }, caller) {
    const found = await findCode(db, code.toUpperCase())
    if (!found) throw new Refusal('not_found')
    await getAccessibleUser(db, caller, found.user_id)
    return found
  },
  locks: (_input, { user_id }) => [lockOfCodes(user_id)],
  load: async ({ tx }, _input, { code, user_id }) => ({
    ...(await findCode(tx, code))!,
    ...(await countCodes(tx, user_id)),
  }),
  decide({ code, user_id, opening_credit_satang, is_active: wasActive, active_count }, { is_active }, { caller }) {
    if (is_active && opening_credit_satang > 0) {
      refuseWithoutCredit(caller, user_id)
      refuseOldFactor(caller)
    }
    if (is_active && !wasActive) refuseTooManyActive(active_count)
    const isChanged = is_active !== wasActive
    const row = { subject: `user:${user_id}`, before: { code, is_active: wasActive }, after: { code, is_active } }
    return { plan: { code, is_active, isChanged }, rows: isChanged ? [row] : [] }
  },
  async write({ tx, by }, { code, is_active, isChanged }) {
    if (isChanged) await saveActive(tx, code, is_active)
    return { outcome: toAgentCode(by.caller, (await findCode(tx, code))!) }
  },
})

/** @throws Refusal too_many_active */
function refuseTooManyActive(active_count: number): void {
  if (active_count >= MAX_ACTIVE_CODES) throw new Refusal('too_many_active', { most: MAX_ACTIVE_CODES })
}

/** @throws Refusal permission_missing */
function refuseWithoutCredit(actor: ChangeCaller, agent_id: number): void {
  if (!actor.permissions.has('credit.do') || !givesCreditOf(actor, agent_id))
    throw new Refusal('permission_missing', { field: 'opening_credit_satang' })
}

function toAgentCode(
  { permissions }: Pick<Caller, 'permissions'>,
  { packages, ...record }: AgentCodeRecord,
): AgentCode {
  return {
    ...record,
    ...(permissions.has('terms.view') ? { packages } : {}),
    opening_credit_satang: permissions.has('credit.view') ? record.opening_credit_satang : null,
    created_at: record.created_at.toISOString(),
    link: `/auth/register?code=${record.code}`,
  }
}
