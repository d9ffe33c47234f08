// A new member, or a new agent one level below its parent, made by an upline or the office.

import type { NamedPackage, Person, UserLevel } from '@megalot/contract'
import { STEP_UP_CREDIT_SATANG, userLevel } from '@megalot/contract'
import { type Caller, refuseMoreThanOwn } from '../../http/caller.ts'
import { violatedConstraint } from '../../postgres/constraints.ts'
import type { Db, Tx } from '../../postgres/db.ts'
import { findOutcome, runOnce } from '../../changes/idempotent-replay.ts'
import { Refusal } from '../../lib/refusal.ts'
import { refuseOldFactor } from '../../http/session-guards.ts'
import {
  addShareTerms,
  createUser,
  findUser,
  getAccessibleUser,
  getCompanyId,
  getCreditInfo,
  getShareTerms,
  lineRateOf,
  hashGivenPassword,
  permissionsOfLevel,
  refuseOverAllocation,
  refuseWeakPassword,
  type UserInHierarchy,
} from '../accounts/index.ts'
import { writeAudit } from '../../changes/audit/index.ts'
import { verifyCaller } from '../../changes/callers/index.ts'
import { askForEmail } from '../credentials/index.ts'
import { boundCommission, findHighestReturn } from '../../markets/index.ts'
import { countNewUser, refuseSpentNewUsers, refuseTakenName } from '../sessions/index.ts'
import { getPackagesHeldBy, packageNameOf } from './named-packages.ts'
import { type FoundPackage, insertPackagesOf, listPackagesOfUser } from './new-person.store.ts'
import { getPersonRow } from './people.service.ts'

export interface NewPerson {
  request_id: string
  parent_id?: number | undefined
  level: UserLevel
  username: string
  display_name: string
  password: string
  copy_from?: number | undefined
  credit_limit_satang?: number | undefined
  packages?: readonly NamedPackage[] | undefined
  position_rate?: number | undefined
  line_rate?: number | undefined
  commission_rate?: number | undefined
  /** Of a member, who verifies it. */
  email?: string | undefined
}

export type PeopleActor = Pick<
  Caller,
  'actor_id' | 'principal_id' | 'is_office' | 'level' | 'permissions' | 'has_factor' | 'factor_age_ms' | 'admission'
>

/**
 * Creates a member or an agent with credit out of that of its parent, its packages and its share. What is not given is
 * copied from `copy_from`; sent again under its `request_id` it returns the same user. The user sets its own password at
 * its first log-in.
 * @throws Refusal not_found (a parent, or a user to copy from, that is not in the actor's downline), not_allowed (an office
 * user), level_not_below, more_than_own (an agent, who may do more than the actor, and whose password the actor would
 * know), permission_missing (credit, packages or share without the permission for it; credit or share out of
 * those of another parent than the actor's principal, unless the office gives them), username_taken,
 * new_user_limit_reached, unknown_package, package_not_held (not the parent's), not_enough_to_give, share_over_parent, request_id_reused,
 * return_too_high and approval_needed (a commission directly below the company, as for `changeShare`),
 * bad_input (a mail address of an agent), email_limit_reached, common_password (of an agent), step_up_needed (copied credit above `STEP_UP_CREDIT_SATANG`)
 */
export async function createPerson(db: Db, actor: PeopleActor, given: NewPerson): Promise<Person> {
  if (given.email !== undefined && given.level !== 'member')
    throw new Refusal('bad_input', { problems: [{ part: 'body', path: '/email', rule: 'level' }] })
  refuseBeyond(actor, given)
  const { password, ...content } = given
  refuseWeakPassword({ username: given.username, level: given.level, is_office: false }, password)
  const request = { actor_id: actor.actor_id, request_id: given.request_id, action: 'create_person', content }
  // Read before the outcome: a name that this very request has taken meanwhile comes with its outcome.
  const isTaken = (await findUser(db, { username: given.username })) !== undefined
  const earlier = await findOutcome<{ user_id: number }>(db, request)
  if (earlier) return getPersonRow(db, actor, earlier.user_id)
  // Decided again in the transaction. What cannot succeed costs no hash.
  await getParent(db, actor, given)
  await refuseSpentNewUsers(db, actor)
  if (isTaken) await refuseTakenName(db, actor)
  const hashed = await hashGivenPassword(db, actor, password)
  refuseBeyond(hashed.actor, given)
  try {
    const { user_id } = await runOnce(db, request, async (tx) => {
      await countNewUser(tx, actor)
      return insertPerson(tx, hashed.actor, given, hashed.hash)
    })
    return await getPersonRow(db, hashed.actor, user_id)
  } catch (error) {
    const constraint = violatedConstraint(error)
    if (constraint === 'users_username_key') await refuseTakenName(db, actor)
    if (constraint === 'shares_within_line') throw new Refusal('share_over_parent')
    throw error
  }
}

const gives = (value: number | undefined): boolean => (value ?? 0) > 0

/** @throws Refusal permission_missing, more_than_own */
function refuseBeyond(actor: PeopleActor, given: NewPerson): void {
  refuseFieldsBeyond(actor, given)
  refuseMoreThanOwn(actor, permissionsOfLevel(given.level))
}

/** Who may make a user need not be allowed to give it credit or terms. Copied ones count as well. */
function refuseFieldsBeyond({ permissions }: PeopleActor, given: NewPerson): void {
  const needed = [
    ['credit_limit_satang', 'credit.do', gives(given.credit_limit_satang)],
    ['packages', 'terms.do', given.packages !== undefined],
    ['position_rate', 'terms.do', gives(given.position_rate)],
    ['line_rate', 'terms.do', gives(given.line_rate)],
    ['commission_rate', 'terms.do', gives(given.commission_rate)],
  ] as const
  const missing = needed.find(([, permission, isGiven]) => isGiven && !permissions.has(permission))
  if (missing) throw new Refusal('permission_missing', { field: missing[0] })
}

/** Whether the actor gives credit and shares out of those of a user: its principal's own, or as the office. */
export function givesCreditOf({ principal_id, is_office }: PeopleActor, user_id: number): boolean {
  return is_office || principal_id === user_id
}

/** @throws Refusal permission_missing */
function refuseCreditAndShare(given: NewPerson): void {
  const fields = ['credit_limit_satang', 'position_rate', 'line_rate', 'commission_rate'] as const
  const field = fields.find((name) => gives(given[name]))
  if (field) throw new Refusal('permission_missing', { field })
}

async function insertPerson(
  tx: Tx,
  actor: PeopleActor,
  given: NewPerson,
  password_hash: string,
): Promise<{ user_id: number }> {
  const { level, display_name } = given
  const parent = await getParent(tx, actor, given)
  const parent_id = parent.user_id
  const isGiver = givesCreditOf(actor, parent_id)
  if (!isGiver) refuseCreditAndShare(given)
  const copied = await readTerms(tx, actor, given)
  const terms = isGiver ? copied : { ...noTerms, packages: copied.packages }
  const credit_limit_satang = given.credit_limit_satang ?? terms.credit_limit_satang
  const position_rate = given.position_rate ?? terms.position_rate
  const line_rate = lineRateOf({ position_rate, line_rate: given.line_rate }, terms)
  const commission_rate = given.commission_rate ?? terms.commission_rate
  const shares = { position_rate, line_rate, commission_rate }
  const username = given.username.toLowerCase()
  const user = { username, display_name, level, parent_id, password_hash, credit_limit_satang }
  const user_id = await createUser(tx, { ...user, must_change_password: true })
  if (credit_limit_satang > 0) await refuseOverAllocation(tx, parent_id, credit_limit_satang)
  const given_packages = given.packages ?? terms.packages ?? undefined
  const refuseTakenAway = async (): Promise<void> => {
    const now = await verifyCaller(tx, actor)
    refuseBeyond(now, { ...given, ...shares, credit_limit_satang, packages: given_packages })
    // Given credit: the contract's row.
    if (credit_limit_satang > STEP_UP_CREDIT_SATANG) refuseOldFactor(now)
  }
  // What the actor may give is decided again, also of what is copied: an area may have been taken from it while the insert waited for the
  // hierarchy.
  await refuseTakenAway()
  // Since the user was inserted nobody takes packages from its parent (`lock_user_tree`).
  const packages = await readPackages(tx, parent_id, given, terms.packages)
  await insertPackagesOf(
    tx,
    user_id,
    packages.map((each) => each.package_id),
  )
  const hasShares = Object.values(shares).some(gives)
  if (level === 'member' && hasShares) throw new Refusal('share_over_parent')
  if (hasShares) {
    await addShareTerms(tx, { user_id, ...shares }, actor.actor_id)
    // It has waited for the shares.
    await refuseTakenAway()
  }
  // The row above has locked the shares. Two people raise it later (`change_share_terms`).
  const isBound = commission_rate > 0 && parent.level === 'company'
  const needsTwo = isBound && boundCommission(commission_rate, await findHighestReturn(tx))
  if (needsTwo) throw new Refusal('approval_needed', { kind: 'change_share_terms', ...needsTwo })
  if (given.email !== undefined) await askForEmail(tx, user_id, given.email)
  const after = {
    ...{ username, display_name, level, parent_id, credit_limit_satang, ...shares },
    packages: packages.map(packageNameOf),
    ...(given.copy_from === undefined ? {} : { copy_from: given.copy_from }),
  }
  await writeAudit(tx, { actor_id: actor.actor_id, action: 'add_user', subject: `user:${user_id}`, after })
  return { user_id }
}

/** @throws Refusal not_found, not_allowed, level_not_below */
async function getParent(db: Db, actor: PeopleActor, { parent_id, level }: NewPerson): Promise<UserInHierarchy> {
  const id = parent_id ?? (actor.is_office ? await getCompanyId(db) : actor.principal_id)
  const parent = await getAccessibleUser(db, actor, id)
  if (parent.is_office) throw new Refusal('not_allowed')
  refuseLevel(level, parent.level)
  return parent
}

/** Members may stand below every agent and the company; agents exactly one level below their parent. @throws Refusal level_not_below */
export function refuseLevel(level: UserLevel, parent: UserLevel): void {
  const next = userLevel.options[userLevel.options.indexOf(parent) + 1]
  const levels = next === undefined ? [] : [...new Set<UserLevel>([next, 'member'])]
  if (!levels.includes(level)) throw new Refusal('level_not_below', { levels })
}

interface CopiedTerms {
  credit_limit_satang: number
  position_rate: number
  line_rate: number
  commission_rate: number
  /** Null: nobody to copy from. */
  packages: FoundPackage[] | null
}

const noShares = { position_rate: 0, line_rate: 0, commission_rate: 0 }
const noTerms: CopiedTerms = { ...noShares, credit_limit_satang: 0, packages: null }

/** What is copied; only what the actor may give. */
async function readTerms(tx: Tx, actor: PeopleActor, { copy_from, level }: NewPerson): Promise<CopiedTerms> {
  if (copy_from === undefined) return noTerms
  const { is_office } = await getAccessibleUser(tx, actor, copy_from)
  if (is_office) throw new Refusal('not_allowed')
  const { credit_limit_satang } = await getCreditInfo(tx, copy_from)
  const isAllowed = actor.permissions.has('terms.do')
  const share = level === 'member' || !isAllowed ? noShares : await getShareTerms(tx, actor, copy_from)
  return {
    credit_limit_satang: actor.permissions.has('credit.do') ? credit_limit_satang : 0,
    position_rate: share.position_rate,
    line_rate: share.line_rate,
    commission_rate: share.commission_rate,
    packages: isAllowed ? await listPackagesOfUser(tx, copy_from) : null,
  }
}

/** @throws Refusal unknown_package; package_not_held: named ones that the parent has not */
async function readPackages(
  tx: Tx,
  parent_id: number,
  { packages: named }: NewPerson,
  copied: readonly FoundPackage[] | null,
): Promise<readonly FoundPackage[]> {
  if (named !== undefined) return getPackagesHeldBy(tx, parent_id, named)
  const ofParent = await listPackagesOfUser(tx, parent_id)
  const held = new Set(ofParent.map((each) => each.package_id))
  return copied?.filter((each) => held.has(each.package_id)) ?? ofParent
}
