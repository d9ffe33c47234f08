// The changes that the console makes for one user or many: status, credit, packages, name, password, sessions. The rules are
// those of the routes for one user (`accounts`, `markets`).

import type { BulkOutcome, NamedPackage, UserStatus } from '@megalot/contract'
import { listBeyond } from '../../platform/caller.ts'
import type { Db, Tx } from '../../platform/db.ts'
import {
  creditRangeOf,
  findPasswordWeakness,
  fitsRange,
  isStatusSetAbove,
  hashGivenPassword,
  lockHierarchy,
  permissionsOfLevel,
} from '../accounts/index.ts'
import type { AuditRecord } from '../audit/index.ts'
import { setOneTimePassword } from '../credentials/index.ts'
import { lockCashAccounts } from '../ledger/index.ts'
import { endSessionsFromAbove } from '../sessions/index.ts'
import {
  type AcceptedRow,
  type BulkCall,
  type BulkChange,
  type BulkRow,
  findBulkOutcomes,
  type RowDecision,
  runBulk,
} from './bulk.service.ts'
import {
  type BulkUser,
  type CashState,
  countHoldersBelow,
  deletePackagesBelow,
  insertPackages,
  listBulkUsers,
  listCashStates,
  listPackageIds,
  saveCreditLimits,
  saveDisplayNames,
  saveStatuses,
} from './bulk.store.ts'
import type { PeopleActor } from './new-person.service.ts'
import { getNamedPackages, packageNameOf } from './named-packages.ts'
import type { FoundPackage } from './new-person.store.ts'

interface UserRow {
  user_id: number
}

const toRows = (user_ids: readonly number[]): UserRow[] => user_ids.map((user_id) => ({ user_id }))

/** Sets statuses. Rows are refused with status_set_above besides. */
export function changeStatuses(
  db: Db,
  actor: PeopleActor,
  { user_ids, own_status, ...call }: BulkCall & { user_ids: readonly number[]; own_status: UserStatus },
): Promise<BulkOutcome[]> {
  return runBulk(db, actor, call, {
    action: 'change_status',
    rows: toRows(user_ids),
    content: { user_ids, own_status },
    load: async (tx, ids, isPreview) => {
      // Before any row lock, as for one user (`changeOwnStatus`).
      if (!isPreview) await lockHierarchy(tx as Tx)
      return listBulkUsers(tx, ids, !isPreview)
    },
    decide: async (_db, rows) =>
      rows.map(({ user }): RowDecision =>
        isStatusSetAbove(user, actor)
          ? { code: 'status_set_above' }
          : { before: { own_status: user.own_status }, after: { own_status }, below_count: user.below_count },
      ),
    write: (tx, rows) => saveStatuses(tx, idsOf(rows), own_status, actor.principal_id),
  })
}

interface CreditRow extends UserRow {
  credit_limit_satang: number
}

/**
 * Sets credit limits, one row after another out of what each parent has left. Rows are refused with not_allowed (no child
 * of the actor) and not_enough_to_give besides.
 */
export function changeCreditLimits(
  db: Db,
  actor: PeopleActor,
  { rows, ...call }: BulkCall & { rows: readonly CreditRow[] },
): Promise<BulkOutcome[]> {
  return runBulk(db, actor, call, {
    action: 'change_credit_limit',
    rows,
    content: { rows },
    load: async (tx, ids, isPreview) => {
      const users = await listBulkUsers(tx, ids, false)
      // Bets of these users, and limits given by or to them, wait for these locks, or are visible here.
      if (!isPreview) await lockCashAccounts(tx as Tx, withParents([...users.values()]))
      return users
    },
    decide: async (tx, reached) => {
      const states = await listCashStates(tx, withParents(reached.map(({ user }) => user)))
      return reached.map((row) => decideCredit(actor, row, states))
    },
    write: (tx, accepted) =>
      saveCreditLimits(
        tx,
        accepted.map(({ row }) => row),
      ),
  })
}

function withParents(users: readonly { user_id: number; parent_id: number | null }[]): number[] {
  return [
    ...new Set(users.flatMap(({ user_id, parent_id }) => (parent_id === null ? [user_id] : [user_id, parent_id]))),
  ]
}

/** Decides a row, and enters it in the states, by which the next row is decided. */
function decideCredit(
  actor: PeopleActor,
  { row: { credit_limit_satang }, user }: BulkRow<CreditRow>,
  states: ReadonlyMap<number, CashState>,
): RowDecision {
  if (user.parent_id !== actor.principal_id && !actor.is_office) return { code: 'not_allowed' }
  const own = states.get(user.user_id)!
  const parent = states.get(user.parent_id!)!
  const range = creditRangeOf({ ...own, parent })
  const before_satang = own.credit_limit_satang
  if (!fitsRange(credit_limit_satang, before_satang, range))
    return { code: 'not_enough_to_give', details: { ...range } }
  own.credit_limit_satang = credit_limit_satang
  parent.given_satang += credit_limit_satang - before_satang
  return { before: { credit_limit_satang: before_satang }, after: { credit_limit_satang } }
}

interface PackagesCall extends BulkCall {
  user_ids: readonly number[]
  change: 'give' | 'take'
  packages: readonly NamedPackage[]
}

/**
 * Gives packages to users, or takes them from users and everybody below. Rows are refused with package_not_held besides.
 * @throws Refusal unknown_package
 */
export async function changePackages(db: Db, actor: PeopleActor, given: PackagesCall): Promise<BulkOutcome[]> {
  const { user_ids, change, packages, ...call } = given
  const found = await getNamedPackages(db, packages)
  return runBulk(db, actor, call, {
    action: `${change}_packages`,
    rows: toRows(user_ids),
    content: { user_ids, packages },
    load: async (tx, ids, isPreview) => {
      // Users who are being created below wait for this lock, or exist already.
      if (!isPreview) await lockHierarchy(tx as Tx)
      return listBulkUsers(tx, ids, false)
    },
    decide: (tx, rows) => (change === 'give' ? decideGiven(tx, rows, found) : decideTaken(tx, rows, found)),
    write: (tx, rows) =>
      change === 'give' ? writeGiven(tx, rows, found) : writeTaken(tx, rows, found, { actor, reason: call.reason }),
  })
}

const namesIn = (found: readonly FoundPackage[], held: ReadonlySet<number>): string[] =>
  found.filter(({ package_id }) => held.has(package_id)).map(packageNameOf)

/** From the top of the tree down, so that a child may get what its parent gets in the same call. */
async function decideGiven(
  db: Db,
  rows: readonly BulkRow<UserRow>[],
  found: readonly FoundPackage[],
): Promise<RowDecision[]> {
  const held = await listPackageIds(db, withParents(rows.map(({ user }) => user)))
  const decisions = new Map<number, RowDecision>()
  for (const { user } of rows.toSorted((one, other) => one.user.upline_ids.length - other.user.upline_ids.length)) {
    const ofParent = held.get(user.parent_id!)!
    const own = held.get(user.user_id)!
    const lacking = found.filter(({ package_id }) => !ofParent.has(package_id)).map(packageNameOf)
    if (lacking.length > 0) {
      decisions.set(user.user_id, { code: 'package_not_held', details: { packages: lacking } })
      continue
    }
    decisions.set(user.user_id, {
      before: { packages: namesIn(found, own) },
      after: { packages: found.map(packageNameOf) },
    })
    for (const { package_id } of found) own.add(package_id)
  }
  return rows.map(({ user }) => decisions.get(user.user_id)!)
}

async function writeGiven(
  tx: Tx,
  rows: readonly AcceptedRow<UserRow>[],
  found: readonly FoundPackage[],
): Promise<void> {
  await insertPackages(
    tx,
    rows.flatMap(({ user: { user_id } }) => found.map(({ package_id }) => ({ user_id, package_id }))),
  )
}

async function decideTaken(
  db: Db,
  rows: readonly BulkRow<UserRow>[],
  found: readonly FoundPackage[],
): Promise<RowDecision[]> {
  const package_ids = found.map(({ package_id }) => package_id)
  const uplines = rows.filter(({ user }) => user.below_count > 0).map(({ user }) => user.user_id)
  const below = await countHoldersBelow(db, uplines, package_ids)
  return rows.map(({ user }) => ({
    before: { packages: namesIn(found, new Set(user.package_ids)) },
    after: { packages: [] },
    below_count: below.get(user.user_id) ?? 0,
  }))
}

/** @returns a record for each user below who has lost a package, and through whom */
async function writeTaken(
  tx: Tx,
  rows: readonly AcceptedRow<UserRow>[],
  found: readonly FoundPackage[],
  { actor, reason }: { actor: PeopleActor; reason: string },
): Promise<AuditRecord[]> {
  const named = new Set(idsOf(rows))
  const package_ids = found.map(({ package_id }) => package_id)
  const lostOf = new Map<number, { through_id: number; lost: Set<number> }>()
  const uplines = idsOf(rows.filter(({ user }) => user.below_count > 0))
  const taken = await deletePackagesBelow(tx, [...named], uplines, package_ids)
  for (const { user_id, package_id, upline_ids } of taken) {
    if (named.has(user_id)) continue
    const entry = lostOf.get(user_id) ?? { through_id: upline_ids.find((id) => named.has(id))!, lost: new Set() }
    entry.lost.add(package_id)
    lostOf.set(user_id, entry)
  }
  return [...lostOf]
    .toSorted(([one], [other]) => one - other)
    .map(([user_id, { through_id, lost }]) => ({
      actor_id: actor.actor_id,
      action: 'take_packages',
      subject: `user:${user_id}`,
      before: { packages: namesIn(found, lost) },
      after: { packages: [], through: `user:${through_id}` },
      reason,
    }))
}

interface NameRow extends UserRow {
  display_name: string
}

export function changeDisplayNames(
  db: Db,
  actor: PeopleActor,
  { rows, ...call }: BulkCall & { rows: readonly NameRow[] },
): Promise<BulkOutcome[]> {
  return runBulk(db, actor, call, {
    action: 'change_display_name',
    rows,
    content: { rows },
    load: (tx, ids, isPreview) => listBulkUsers(tx, ids, !isPreview),
    decide: async (_db, reached) =>
      reached.map(({ row: { display_name }, user }) => ({
        before: { display_name: user.display_name },
        after: { display_name },
      })),
    write: (tx, accepted) =>
      saveDisplayNames(
        tx,
        accepted.map(({ row }) => row),
      ),
  })
}

interface PasswordRow extends UserRow {
  password: string
}

/**
 * Sets one-time passwords; the users' sessions end. Sent again the passwords are not compared. Rows are refused with
 * common_password (of an agent) besides, with more_than_own: whoever knows the password of a user could act as it, and with
 * changed_meanwhile.
 */
export async function resetPasswords(
  db: Db,
  actor: PeopleActor,
  { rows, ...call }: BulkCall & { rows: readonly PasswordRow[] },
): Promise<BulkOutcome[]> {
  const user_ids = rows.map(({ user_id }) => user_id)
  const passwords = new Map(rows.map(({ user_id, password }) => [user_id, password]))
  const hashes = new Map<number, string>()
  let isPrepared = false
  const change: BulkChange<UserRow> = {
    action: 'set_one_time_password',
    rows: toRows(user_ids),
    content: { user_ids },
    load: (tx, ids, isPreview) => listBulkUsers(tx, ids, !isPreview),
    decide: async (_db, reached) =>
      reached.map(({ user }): RowDecision => {
        const decision = decidePassword(actor, user, passwords.get(user.user_id)!)
        // It was refused when the hashes were made, and another transaction has made it possible since.
        const lacksHash = isPrepared && !('code' in decision) && !hashes.has(user.user_id)
        return lacksHash ? { code: 'changed_meanwhile' } : decision
      }),
    write: async (tx, accepted) => {
      for (const { user } of accepted) await setOneTimePassword(tx, user.user_id, hashes.get(user.user_id)!)
    },
  }
  if (call.preview !== true) {
    const earlier = await findBulkOutcomes(db, actor, call, change)
    if (earlier) return earlier
    // What is refused costs no hash.
    const outcomes = await runBulk(db, actor, { ...call, preview: true }, change)
    // One after another: the queue of hashes has room for others as well.
    for (const { user_id, code } of outcomes)
      if (code === 'ok') hashes.set(user_id, await hashGivenPassword(actor.actor_id, passwords.get(user_id)!))
    isPrepared = true
  }
  return runBulk(db, actor, call, change)
}

function decidePassword(actor: PeopleActor, user: BulkUser, password: string): RowDecision {
  const weakness = findPasswordWeakness(user, password)
  if (weakness) return weakness
  const permissions = listBeyond(actor.permissions, permissionsOfLevel(user.level))
  if (permissions.length > 0) return { code: 'more_than_own', details: { permissions } }
  return { before: { has_session: user.has_session }, after: { is_one_time: true } }
}

/** Ends the sessions of users, who may log in again. */
export function endPeopleSessions(
  db: Db,
  actor: PeopleActor,
  { user_ids, ...call }: BulkCall & { user_ids: readonly number[] },
): Promise<BulkOutcome[]> {
  return runBulk(db, actor, call, {
    action: 'end_sessions',
    rows: toRows(user_ids),
    content: { user_ids },
    load: (tx, ids, isPreview) => listBulkUsers(tx, ids, !isPreview),
    decide: async (_db, reached) =>
      reached.map(({ user }) => ({ before: { has_session: user.has_session }, after: { has_session: false } })),
    write: (tx, accepted) => endSessionsFromAbove(tx, idsOf(accepted)),
  })
}

function idsOf(rows: readonly { user: { user_id: number } }[]): number[] {
  return rows.map(({ user }) => user.user_id)
}
