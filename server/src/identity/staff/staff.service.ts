// Office users with their roles, and assistants with their areas. Nobody grants what they lack, nobody decides about
// staff with more permissions than their own, and the office always has an owner.

import { randomBytes } from 'node:crypto'
import {
  type ApprovalKind,
  type Area,
  listGained,
  type OfficeRole,
  type Permission,
  permissionsOfRole,
  type StaffUser,
  type UserStatus,
} from '@megalot/contract'
import { type Actor, type Caller, refuseMoreThanOwn } from '../../http/caller.ts'
import { violatedConstraint } from '../../postgres/constraints.ts'
import { type Db, inTransaction, type Tx } from '../../postgres/db.ts'
import type { DecisionAuthority } from '../../changes/decision-authority.ts'
import { Refusal } from '../../lib/refusal.ts'
import {
  createUser,
  findUser,
  getCompanyId,
  hashGivenPassword,
  lockHierarchy,
  permissionsOf,
  refuseWeakPassword,
  writePasswordHash,
} from '../accounts/index.ts'
import { type AuditRecord, writeAudit } from '../../changes/audit/index.ts'
import { verifyCaller } from '../../changes/callers/index.ts'
import {
  countNewUser,
  endAllSessions,
  endSessionByStaff,
  refuseSpentNewUsers,
  refuseTakenName,
} from '../sessions/index.ts'
import {
  countAssistants,
  findStaffRecord,
  listStaffRecords,
  saveAreas,
  saveRole,
  saveStaffStatus,
  type StaffRecord,
  suspendAssistantsOf,
} from './staff.store.ts'

/** Assistants of one principal that are not suspended. */
const MAX_ASSISTANTS = 100

/**
 * Ends what a user and its assistants have begun and no second person has decided; `alone`: but no proposal about the actor. Later modules
 * hold that, so whoever calls gives it (`endBegun` of approvals).
 */
export type EndBegun = (
  tx: Tx,
  actor: StaffActor,
  user_id: number,
  reason: string,
  authority: DecisionAuthority,
) => Promise<void>

/** Who decides about staff, and what it may do itself. */
export type StaffActor = Actor & Pick<Caller, 'permissions' | 'admission'>

/** The assistants of the caller's principal; for the office all office users and their assistants. */
export async function listStaff(db: Db, caller: StaffActor): Promise<StaffUser[]> {
  return (await listStaffRecords(db, caller)).map(toStaffUser)
}

function toStaffUser(record: StaffRecord): StaffUser {
  const { own_role, assistant_areas, created_at, last_log_in_at, ...rest } = record
  const { user_id, username, display_name, principal, own_status, status, has_session } = rest
  return {
    user_id,
    username,
    display_name,
    office_role: own_role,
    principal,
    areas: assistant_areas,
    permissions: [...permissionsOf(record)],
    own_status,
    status,
    created_at: created_at.toISOString(),
    last_log_in_at: last_log_in_at?.toISOString() ?? null,
    has_session,
  }
}

export interface NewOfficeUser {
  username: string
  display_name: string
}

export interface NewStaff extends NewOfficeUser {
  password: string
}

/**
 * Creates a user who acts for the actor's principal with some of its areas. It holds no credit and cannot bet.
 * @throws Refusal more_than_own (an area that the actor has not), username_taken, new_user_limit_reached, too_many_active
 * (`MAX_ASSISTANTS`)
 */
export async function createAssistant(
  db: Db,
  actor: StaffActor,
  { areas, ...given }: NewStaff & { areas: readonly Area[] },
): Promise<StaffUser> {
  const granted = [...new Set(areas)]
  refuseAreasBeyond(actor, granted)
  const assistant = { principal_id: actor.principal_id, areas: granted }
  refuseWeakPassword({ username: given.username, level: 'company', is_office: actor.is_office }, given.password)
  // The database sets level and `is_office` from the principal's.
  const columns = { level: 'agent', parent_id: null, assistant } as const
  const refuse = (creator: StaffActor): void => refuseAreasBeyond(creator, granted)
  return createStaff(
    db,
    actor,
    given,
    { action: 'create_assistant', granted: { areas: granted }, refuse },
    async (tx) => {
      // Before the insert, which shares it: assistants are counted and made one after another.
      await lockHierarchy(tx)
      await refuseTooManyAssistants(tx, actor.principal_id)
      return columns
    },
  )
}

/**
 * Creates an office user under the company, who can neither log in nor do anything before two people grant a role. They
 * get a half of its first password each (`change_office_role`): whoever knew all of it could be the second person.
 * @throws Refusal username_taken
 */
export async function createOfficeUser(
  db: Db,
  actor: StaffActor,
  { username, display_name }: NewOfficeUser,
): Promise<StaffUser> {
  const office_role: OfficeRole = 'none'
  // Thrown away: the user gets a password that two people know a half each of (`change_office_role`).
  const given = { username, display_name, password: randomBytes(32).toString('base64url') }
  return createStaff(db, actor, given, { action: 'create_office_user', granted: { office_role } }, async (tx) => {
    const parent_id = await getCompanyId(tx)
    return { level: 'company', is_office: true, office_role, parent_id } as const
  })
}

/** Nobody else makes or readmits an assistant meanwhile: the caller holds the hierarchy. @throws Refusal too_many_active */
async function refuseTooManyAssistants(tx: Tx, principal_id: number): Promise<void> {
  if ((await countAssistants(tx, principal_id)) >= MAX_ASSISTANTS)
    throw new Refusal('too_many_active', { most: MAX_ASSISTANTS })
}

type StaffColumns = Omit<Parameters<typeof createUser>[1], 'credit_limit_satang' | 'password_hash' | keyof NewStaff>

async function createStaff(
  db: Db,
  caller: StaffActor,
  { username, display_name, password }: NewStaff,
  /** `refuse` gets the actor as it is after the waits for the hash and the hierarchy. */
  { action, granted, refuse }: { action: string; granted: object; refuse?: (creator: StaffActor) => void },
  columnsOf: (tx: Tx) => Promise<StaffColumns>,
): Promise<StaffUser> {
  await refuseSpentNewUsers(db, caller)
  if (await findUser(db, { username })) await refuseTakenName(db, caller)
  const { hash: password_hash, actor } = await hashGivenPassword(db, caller, password)
  try {
    return await db.transaction().execute(async (tx) => {
      await countNewUser(tx, caller)
      const columns = await columnsOf(tx)
      const user = {
        username,
        display_name,
        password_hash,
        must_change_password: true,
        credit_limit_satang: 0,
        ...columns,
      }
      const user_id = await createUser(tx, user)
      // The insert may have waited for the hierarchy: a session that has ended meanwhile leaves no log-in behind.
      const now = await verifyCaller(tx, actor)
      refuse?.(now)
      const after = { username: username.toLowerCase(), display_name, ...granted }
      await writeAudit(tx, { actor_id: actor.actor_id, action, subject: `user:${user_id}`, after })
      return toStaffUser((await findStaffRecord(tx, now, user_id))!)
    })
  } catch (error) {
    if (violatedConstraint(error) === 'users_username_key') await refuseTakenName(db, caller)
    throw error
  }
}

/**
 * Sets the areas of an assistant; they hold from its next call on. The assistant of a colleague only loses areas: an
 * assistant counts as its principal where two people are needed, and could be given more than its principal wants.
 * @throws Refusal not_found (not the actor's staff), not_allowed (oneself, an office user, a further area for the
 * assistant of somebody else), more_than_own (an area that the actor has not, or an assistant who may do more than the
 * actor)
 */
export function changeAssistantAreas(
  db: Db,
  actor: StaffActor,
  user_id: number,
  { areas, reason }: { areas: readonly Area[]; reason: string },
  endBegun: EndBegun,
): Promise<StaffUser> {
  const isAllowed = (record: StaffRecord): boolean => !isOfficeUser(record) && user_id !== actor.actor_id
  return changeStaff(db, actor, { user_id, reason, isAllowed }, async (tx, { assistant_areas, principal }, actor) => {
    const before = assistant_areas ?? []
    const granted = [...new Set(areas)]
    const added = granted.filter((area) => !before.includes(area))
    if (added.length > 0 && principal?.user_id !== actor.principal_id) throw new Refusal('not_allowed')
    refuseAreasBeyond(actor, added)
    await saveAreas(tx, user_id, granted)
    if (before.some((area) => !granted.includes(area))) await endBegun(tx, actor, user_id, reason, 'alone')
    return { action: 'change_assistant_areas', before: { areas: before }, after: { areas: granted } }
  })
}

/**
 * Sets the role of an office user; it holds from its next call on. With a role that may not do all that the present one may, what the user
 * has begun ends.
 * @throws Refusal not_found, not_allowed (an assistant), more_than_own (a role, or an office user, who may do more than
 * the actor), approval_needed (one person alone: a role that may view or do more than the
 * present one, or another role for an owner), last_owner
 */
export function changeOfficeRole(
  db: Db,
  actor: StaffActor,
  user_id: number,
  { office_role, reason }: { office_role: OfficeRole; reason: string },
  endBegun: EndBegun,
  authority: DecisionAuthority = 'alone',
): Promise<StaffUser> {
  return changeStaff(db, actor, { user_id, reason, isAllowed: isOfficeUser }, async (tx, { own_role }, actor) => {
    refuseMoreThanOwn(actor, permissionsOfRole[office_role])
    const isGrant = listGained(own_role!, office_role).length > 0
    const needsTwo = isGrant || (own_role === 'owner' && office_role !== 'owner')
    if (needsTwo && authority === 'alone') refuseByOne()
    await saveRole(tx, user_id, office_role)
    if (listGained(office_role, own_role!).length > 0) await endBegun(tx, actor, user_id, reason, authority)
    return { action: 'change_office_role', before: { office_role: own_role }, after: { office_role } }
  })
}

/**
 * Suspends an office user or an assistant, or lifts a suspension. A suspension ends its sessions and what it has begun, and its assistants
 * lose their power with it. An owner is not suspended: two people take its role (`change_office_role`).
 * The suspension of an assistant is lifted by its principal alone: an assistant counts as its principal, which a colleague would use.
 * @throws Refusal not_found, not_allowed (oneself, the own principal, a suspended assistant of somebody else), more_than_own (somebody
 * who may do more than the actor), approval_needed (an owner), too_many_active (`MAX_ASSISTANTS`)
 */
export function changeStaffStatus(
  db: Db,
  actor: StaffActor,
  user_id: number,
  { own_status, reason }: { own_status: UserStatus; reason: string },
  endBegun: EndBegun,
): Promise<StaffUser> {
  const isAllowed = (record: StaffRecord): boolean => {
    const isOwn = isOfficeUser(record) || record.principal?.user_id === actor.principal_id
    return user_id !== actor.actor_id && user_id !== actor.principal_id && (own_status === 'SUSPENDED' || isOwn)
  }
  return changeStaff(db, actor, { user_id, reason, isAllowed }, async (tx, record, now) => {
    // An owner who could remove the others alone would decide alone from then on.
    if (record.own_role === 'owner' && own_status === 'SUSPENDED') refuseByOne()
    if (record.principal && record.own_status === 'SUSPENDED' && own_status !== 'SUSPENDED')
      await refuseTooManyAssistants(tx, record.principal.user_id)
    await saveStaffStatus(tx, user_id, own_status, actor.principal_id)
    if (own_status === 'SUSPENDED') await endBegun(tx, now, user_id, reason, 'alone')
    return { action: 'change_status', before: { own_status: record.own_status }, after: { own_status } }
  })
}

/**
 * Suspends the assistants of users who get a new password from somebody else: whoever had the account may have made them, and knows their
 * passwords. Their principal readmits each that is its own. The caller has locked the hierarchy, and writes the records.
 */
export async function suspendAssistants(
  tx: Tx,
  { actor_id, principal_id }: Pick<StaffActor, 'actor_id' | 'principal_id'>,
  principal_ids: readonly number[],
  reason: string,
): Promise<{ user_id: number; record: AuditRecord }[]> {
  const suspended = await suspendAssistantsOf(tx, principal_ids, principal_id)
  return suspended.map(({ user_id, own_status }) => ({
    user_id,
    record: {
      ...{ actor_id, action: 'change_status', subject: `user:${user_id}`, reason },
      before: { own_status },
      after: { own_status: 'SUSPENDED' },
    },
  }))
}

/**
 * Gives an assistant a password for one log-in, and ends its sessions; its second factors stay. Only an assistant of the
 * actor's own principal: whoever logs in as the assistant of a colleague could act as the second person.
 * @throws Refusal not_found, not_allowed (oneself, an office user, an assistant of somebody else), more_than_own,
 * weak_password, common_password
 */
export async function resetAssistantPassword(
  db: Db,
  actor: StaffActor,
  user_id: number,
  { password, reason }: { password: string; reason: string },
): Promise<StaffUser> {
  const found = await findStaffRecord(db, actor, user_id)
  if (!found) throw new Refusal('not_found')
  const isAllowed = ({ principal }: StaffRecord): boolean =>
    principal?.user_id === actor.principal_id && user_id !== actor.actor_id
  if (!isAllowed(found)) throw new Refusal('not_allowed')
  refuseWeakPassword({ username: found.username, level: 'company', is_office: found.is_office }, password)
  const hashed = await hashGivenPassword(db, actor, password)
  return changeStaff(db, hashed.actor, { user_id, reason, isAllowed }, async (tx) => {
    await writePasswordHash(tx, user_id, hashed.hash, true)
    await endAllSessions(tx, user_id)
    return { action: 'set_one_time_password' }
  })
}

/**
 * Ends the session of an office user or an assistant, who may log in again.
 * @throws Refusal not_found, more_than_own (somebody who may do more than the actor)
 */
export function endStaffSessions(db: Db, actor: StaffActor, user_id: number, reason: string): Promise<StaffUser> {
  return changeStaff(db, actor, { user_id, reason }, async (tx, { has_session }) => {
    await endSessionByStaff(tx, user_id)
    return { action: 'end_sessions', before: { has_session }, after: { has_session: false } }
  })
}

/** @throws Refusal approval_needed */
function refuseByOne(): never {
  const kind: ApprovalKind = 'change_office_role'
  throw new Refusal('approval_needed', { kind })
}

/** The role of an office user in the actor's charge, while no other change of staff happens. @throws Refusal not_found, not_allowed */
export async function lockRole(tx: Tx, actor: StaffActor, user_id: number): Promise<StaffUser> {
  await lockHierarchy(tx)
  const record = await findStaffRecord(tx, actor, user_id)
  if (!record) throw new Refusal('not_found')
  if (!isOfficeUser(record)) throw new Refusal('not_allowed')
  return toStaffUser(record)
}

function isOfficeUser({ own_role }: StaffRecord): boolean {
  return own_role !== null
}

/** Whom a change concerns. */
interface StaffSubject {
  user_id: number
  reason: string
  /** Whether the change is possible for such a user, and for this actor; absent: for all staff. */
  isAllowed?: (record: StaffRecord) => boolean
}

interface StaffChange {
  action: string
  before?: object
  after?: object
}

async function changeStaff(
  db: Db,
  caller: StaffActor,
  { user_id, reason, isAllowed }: StaffSubject,
  /** Gets the actor as it is after the wait for the lock. */
  change: (tx: Tx, record: StaffRecord, actor: StaffActor) => Promise<StaffChange>,
): Promise<StaffUser> {
  try {
    return await inTransaction(db, async (tx) => {
      // Changes of staff happen one at a time, before any row lock: what is compared stays as it is.
      await lockHierarchy(tx)
      const actor = await verifyCaller(tx, caller)
      const record = await findStaffRecord(tx, actor, user_id)
      if (!record) throw new Refusal('not_found')
      if (isAllowed?.(record) === false) throw new Refusal('not_allowed')
      refuseMoreThanOwn(actor, permissionsOf(record))
      const done = await change(tx, record, actor)
      await writeAudit(tx, { actor_id: actor.actor_id, subject: `user:${user_id}`, reason, ...done })
      return toStaffUser((await findStaffRecord(tx, actor, user_id))!)
    })
  } catch (error) {
    if (violatedConstraint(error) === 'office_keeps_an_owner') throw new Refusal('last_owner')
    throw error
  }
}

/** An assistant has no more of an area than its principal: whoever views an area may grant it. */
function refuseAreasBeyond(actor: StaffActor, areas: readonly Area[]): void {
  refuseMoreThanOwn(
    actor,
    areas.map((area): Permission => `${area}.view`),
  )
}
