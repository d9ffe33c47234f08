// Changes of office users and assistants. Nobody grants permissions that they lack, or changes staff with further
// permissions than their own.

import { randomBytes } from 'node:crypto'
import * as contract from '@megalot/contract'
import { type ApprovalKind, type Area, type Permission } from '@megalot/contract'
import * as z from 'zod/mini'
import { type ChangeCaller, defineChange, endPendingDecisions, lockOfHierarchy } from '../../changes/index.ts'
import { refuseMoreThanOwn } from '../../http/caller.ts'
import type { Db, Tx } from '../../postgres/db.ts'
import { Refusal } from '../../lib/refusal.ts'
import {
  createUser,
  findUser,
  getCompanyId,
  hashForOther,
  refuseWeakPassword,
  writePasswordHash,
} from '../accounts/index.ts'
import {
  endAllSessions,
  endSessionByStaff,
  lockOfNewUser,
  refuseNewUsersOverLimit,
  refuseTakenName,
} from '../sessions/index.ts'
import { isOfficeUser, loadStaff, requireAllowed, subjectOf, writtenOf } from './staff.service.ts'
import { countAssistants, saveAreas, saveStaffStatus } from './staff.store.ts'

/** The maximum number of unsuspended assistants of a principal. */
const MAX_ASSISTANTS = 100

/**
 * Runs with the hierarchy locked, so nobody else creates or readmits an assistant meanwhile.
 * @throws Refusal too_many_active
 */
async function refuseTooManyAssistants(tx: Tx, principal_id: number): Promise<void> {
  if ((await countAssistants(tx, principal_id)) >= MAX_ASSISTANTS)
    throw new Refusal('too_many_active', { most: MAX_ASSISTANTS })
}

/**
 * Viewing an area is enough to grant it, because an assistant never has more of an area than its principal.
 * @throws Refusal more_than_own
 */
function refuseAreasBeyond({ permissions }: ChangeCaller, areas: readonly Area[]): void {
  refuseMoreThanOwn(
    { permissions },
    areas.map((area): Permission => `${area}.view`),
  )
}

const newStaff = { must_change_password: true, credit_limit_satang: 0 } as const

/**
 * Creates a user who acts for the caller's principal in some of its areas. It holds no credit and cannot bet.
 * @throws Refusal more_than_own (an area that the caller lacks), username_taken, new_user_limit_reached, too_many_active,
 * weak_password, common_password
 */
export const createAssistant = defineChange({
  name: 'create_assistant',
  needs: 'staff.do',
  input: contract.createAssistant.body,
  async find(db, { username, password }, caller) {
    refuseWeakPassword({ username, level: 'company', is_office: caller.is_office }, password)
    return findFreeName(db, caller, username)
  },
  // Before the insert, which shares the hierarchy, so that assistants are counted and created one at a time.
  locks: (_input, maker) => [lockOfNewUser(maker), lockOfHierarchy],
  load: ({ tx, by }) => refuseTooManyAssistants(tx, by.caller.principal_id),
  decide(_state, { areas, ...given }, { caller }) {
    refuseAreasBeyond(caller, areas)
    return { plan: { ...given, assistant: { principal_id: caller.principal_id, areas: [...new Set(areas)] } } }
  },
  prepare: (_plan, { password }, { caller }) => hashForOther(caller, password),
  async write(at, { username, display_name, assistant }, _by, password_hash) {
    // The database sets level and `is_office` from the principal's.
    const columns = { level: 'agent', parent_id: null, assistant } as const
    const user_id = await createUser(at.tx, { ...newStaff, ...columns, username, display_name, password_hash })
    const after = { username: username.toLowerCase(), display_name, areas: assistant.areas }
    return writtenOf(at, user_id, [{ subject: subjectOf(user_id), after }])
  },
  refusals: { users_username_key: 'username_taken' },
})

/**
 * Creates an office user, who cannot log in until two people grant a role. Each of them learns one half of its first
 * password (`changeOfficeRole`), because anyone who knows all of it could act as the second person.
 * @throws Refusal username_taken
 */
export const createOfficeUser = defineChange({
  name: 'create_office_user',
  needs: 'staff.do',
  input: contract.createOfficeUser.body,
  find: (db, { username }, caller) => findFreeName(db, caller, username),
  locks: (_input, maker) => [lockOfNewUser(maker)],
  load: ({ tx }) => getCompanyId(tx),
  decide: (parent_id, { username, display_name }) => ({ plan: { username, display_name, parent_id } }),
  // Discarded.
  prepare: (_plan, _input, { caller }) => hashForOther(caller, randomBytes(32).toString('base64url')),
  async write(at, given, _by, password_hash) {
    const columns = { level: 'company', is_office: true, office_role: 'none' } as const
    const user_id = await createUser(at.tx, { ...newStaff, ...columns, ...given, password_hash })
    const { display_name } = given
    const after = { username: given.username.toLowerCase(), display_name, office_role: columns.office_role }
    return writtenOf(at, user_id, [{ subject: subjectOf(user_id), after }])
  },
  refusals: { users_username_key: 'username_taken' },
})

/**
 * @returns the caller, for the locks
 * @throws Refusal username_taken, new_user_limit_reached
 */
async function findFreeName(db: Db, maker: ChangeCaller, username: string): Promise<ChangeCaller> {
  await refuseNewUsersOverLimit(db, maker)
  if (await findUser(db, { username })) await refuseTakenName(db, maker)
  return maker
}

/**
 * Sets the areas of an assistant from its next call on. Only its principal adds areas, because an assistant counts as its
 * principal where two people are needed.
 * @throws Refusal not_found, not_allowed (oneself, an office user, a further area for somebody else's assistant),
 * more_than_own (an area that the caller lacks, or an assistant who may do more)
 */
export const changeAssistantAreas = defineChange({
  name: 'change_assistant_areas',
  needs: 'staff.do',
  input: z.strictObject({ user_id: z.int(), areas: contract.changeAssistantAreas.body.shape.areas }),
  locks: () => [lockOfHierarchy],
  load: (at, input) => loadStaff(at, input),
  decide(record, { user_id, areas }, by) {
    requireAllowed(!isOfficeUser(record) && user_id !== by.caller.actor_id, record, by)
    const before = record.assistant_areas ?? []
    const granted = [...new Set(areas)]
    const added = granted.filter((area) => !before.includes(area))
    if (added.length > 0 && record.principal?.user_id !== by.caller.principal_id) throw new Refusal('not_allowed')
    refuseAreasBeyond(by.caller, added)
    return {
      plan: { user_id, areas: granted, isLess: before.some((area) => !granted.includes(area)) },
      rows: [{ subject: subjectOf(user_id), before: { areas: before }, after: { areas: granted } }],
    }
  },
  async write(at, { user_id, areas, isLess }) {
    await saveAreas(at.tx, user_id, areas)
    return writtenOf(at, user_id, isLess ? await endPendingDecisions(at, user_id) : [])
  },
})

/**
 * Suspends an office user or an assistant, or lifts a suspension. A suspension ends the sessions, undecided proposals and
 * first entries of the user and its assistants. An owner is not suspended; two people take its role (`changeOfficeRole`).
 * Only the principal lifts the suspension of its assistant, because an assistant counts as its principal.
 * @throws Refusal not_found, not_allowed (oneself, one's principal, a suspended assistant of somebody else), more_than_own
 * (somebody who may do more than the caller), approval_needed (an owner), too_many_active
 */
export const changeStaffStatus = defineChange({
  name: 'change_staff_status',
  action: 'change_status',
  needs: 'staff.do',
  input: z.strictObject({ user_id: z.int(), own_status: contract.changeStaffStatus.body.shape.own_status }),
  locks: () => [lockOfHierarchy],
  async load(at, { user_id, own_status }) {
    const record = await loadStaff(at, { user_id })
    const { caller } = at.by
    const isOwn = isOfficeUser(record) || record.principal?.user_id === caller.principal_id
    const isSelf = user_id === caller.actor_id || user_id === caller.principal_id
    requireAllowed(!isSelf && (own_status === 'SUSPENDED' || isOwn), record, at.by)
    if (record.principal && record.own_status === 'SUSPENDED' && own_status !== 'SUSPENDED')
      await refuseTooManyAssistants(at.tx, record.principal.user_id)
    return record
  },
  decide(record, { user_id, own_status }) {
    // An owner who could remove the others would decide alone from then on.
    if (record.own_role === 'owner' && own_status === 'SUSPENDED') {
      const kind: ApprovalKind = 'change_office_role'
      throw new Refusal('approval_needed', { kind })
    }
    return {
      plan: { user_id, own_status },
      rows: [{ subject: subjectOf(user_id), before: { own_status: record.own_status }, after: { own_status } }],
    }
  },
  async write(at, { user_id, own_status }) {
    await saveStaffStatus(at.tx, user_id, own_status, at.by.caller.principal_id)
    return writtenOf(at, user_id, own_status === 'SUSPENDED' ? await endPendingDecisions(at, user_id) : [])
  },
})

/**
 * Gives an assistant a password for one log-in, and ends its sessions. Its second factors stay. Only for assistants of the
 * caller's own principal: anyone who logs in as a colleague's assistant could act as the second person.
 * @throws Refusal not_found, not_allowed (oneself, an office user, somebody else's assistant), more_than_own,
 * weak_password, common_password
 */
export const resetAssistantPassword = defineChange({
  name: 'reset_assistant_password',
  action: 'set_one_time_password',
  needs: 'staff.do',
  input: z.strictObject({ user_id: z.int(), password: contract.resetAssistantPassword.body.shape.password }),
  locks: () => [lockOfHierarchy],
  load: (at, input) => loadStaff(at, input),
  decide(record, { user_id, password }, by) {
    const { actor_id, principal_id } = by.caller
    requireAllowed(record.principal?.user_id === principal_id && user_id !== actor_id, record, by)
    refuseWeakPassword({ username: record.username, level: 'company', is_office: record.is_office }, password)
    return { plan: { user_id }, rows: [{ subject: subjectOf(user_id) }] }
  },
  prepare: (_plan, { password }, { caller }) => hashForOther(caller, password),
  async write(at, { user_id }, _by, password_hash) {
    await writePasswordHash(at.tx, user_id, password_hash, true)
    await endAllSessions(at.tx, user_id)
    return writtenOf(at, user_id)
  },
})

/**
 * Ends the session of an office user or an assistant, who may log in again.
 * @throws Refusal not_found, more_than_own (somebody who may do more than the caller)
 */
export const endStaffSessions = defineChange({
  name: 'end_staff_sessions',
  action: 'end_sessions',
  needs: 'staff.do',
  input: z.strictObject({ user_id: z.int() }),
  locks: () => [lockOfHierarchy],
  load: (at, input) => loadStaff(at, input),
  decide(record, { user_id }, by) {
    requireAllowed(true, record, by)
    const row = { before: { has_session: record.has_session }, after: { has_session: false } }
    return { plan: { user_id }, rows: [{ subject: subjectOf(user_id), ...row }] }
  },
  async write(at, { user_id }) {
    await endSessionByStaff(at.tx, user_id)
    return writtenOf(at, user_id)
  },
})
