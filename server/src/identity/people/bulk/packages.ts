// Packages given to many users, or taken from them and everybody below, by the rules for one (`givePackages`).

import type { BulkOutcome, NamedPackage } from '@megalot/contract'
import type { Db, Tx } from '../../../postgres/db.ts'
import { lockHierarchy } from '../../accounts/index.ts'
import type { AuditRecord } from '../../../changes/audit/index.ts'
import { getNamedPackages, packageNameOf } from '../named-packages.ts'
import type { PeopleActor } from '../new-person.service.ts'
import type { FoundPackage } from '../new-person.store.ts'
import { countHoldersBelow, deletePackagesBelow, insertPackages, listPackageIds } from './bulk.store.ts'
import {
  type AcceptedRow,
  type BulkCall,
  type BulkRow,
  idsOf,
  type RowDecision,
  runBulk,
  toRows,
  type UserRow,
  withParents,
} from './run-bulk.ts'

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
    // Users who are being created below wait for this lock, or exist already.
    lock: lockHierarchy,
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
