// The packages of users, given and taken by their uplines and the office. Existing tickets keep the terms written on
// their items; the next ticket is refused (`no_package`).

import type { NamedPackage, UserPackage, UserPackagesChange } from '@megalot/contract'
import type { Actor, Scope } from '../http/caller.ts'
import type { Db, Tx } from '../postgres/db.ts'
import { Refusal } from '../lib/refusal.ts'
import { getAccessibleUser, lockHierarchy, type UserInHierarchy } from '../identity/accounts/index.ts'
import { type AuditRecord, writeAudits } from '../changes/audit/index.ts'
import {
  deleteUserPackages,
  findPackages,
  insertUserPackages,
  listPackagesOf,
  type PackageMove,
} from './user-packages.store.ts'

/**
 * The packages of all markets that a user has. @throws Refusal not_found (no such user, or the caller may not access
 * it)
 */
export async function listUserPackages(db: Db, caller: Scope, user_id: number): Promise<UserPackage[]> {
  await getAccessibleUser(db, caller, user_id)
  return readPackages(db, user_id)
}

async function readPackages(db: Db, user_id: number): Promise<UserPackage[]> {
  const packages = await listPackagesOf(db, user_id)
  return packages.map(({ product_code, package_code, name }) => ({ product_code, package_code, name }))
}

/** Packages of users that one call changes: it holds the lock of the hierarchy, and would not end within the time that a statement has. */
const MAX_CHANGED_PACKAGES = 150_000

/** @throws Refusal payload_too_large: fewer packages at a time, or of smaller lines */
export function refuseTooManyPackages(changed: number): void {
  if (changed > MAX_CHANGED_PACKAGES) throw new Refusal('payload_too_large')
}

export interface PackagesChange {
  packages: readonly NamedPackage[]
  reason: string
}

/**
 * Gives packages to a user, by any of its uplines or the office, and on request to everybody below it. Packages that a
 * user has already stay unchanged. A child never has a package that its parent does not have (§8 of the domain rules).
 * @throws Refusal not_found (not in the actor's downline), not_allowed (oneself, an office user), unknown_package,
 * package_not_held (the packages that the user's parent has not)
 */
export async function givePackages(
  db: Db,
  actor: Actor,
  user_id: number,
  { packages, reason, includes_below = false }: PackagesChange & { includes_below?: boolean | undefined },
): Promise<UserPackagesChange> {
  return changeLine(db, actor, user_id, packages, async (tx, user, found) => {
    await refuseBeyondParent(tx, user, found)
    const ids = found.map((each) => each.package_id)
    const moves = await insertUserPackages(tx, user_id, ids, includes_below)
    await writeMoves(tx, { actor, user_id, found, moves, reason, action: 'give_packages' })
    return moves
  })
}

/**
 * Takes packages from a user and from everybody below it in one transaction, by any of its uplines or the office.
 * @throws Refusal not_found (not in the actor's downline), not_allowed (oneself, an office user), unknown_package
 */
export async function takePackages(
  db: Db,
  actor: Actor,
  user_id: number,
  { packages, reason }: PackagesChange,
): Promise<UserPackagesChange> {
  return changeLine(db, actor, user_id, packages, async (tx, _place, found) => {
    const ids = found.map((each) => each.package_id)
    const moves = await deleteUserPackages(tx, user_id, ids)
    await writeMoves(tx, { actor, user_id, found, moves, reason, action: 'take_packages' })
    return moves
  })
}

type FoundPackage = Awaited<ReturnType<typeof findPackages>>[number]

async function changeLine(
  db: Db,
  actor: Actor,
  user_id: number,
  named: readonly NamedPackage[],
  change: (tx: Tx, user: UserInHierarchy, found: readonly FoundPackage[]) => Promise<PackageMove[]>,
): Promise<UserPackagesChange> {
  return db.transaction().execute(async (tx) => {
    // What is refused for its caller takes no lock.
    refuseOwnOrOffice(actor, await getAccessibleUser(tx, actor, user_id))
    // Users who are being created below wait for this lock or exist already: otherwise one would keep what its parent
    // loses.
    await lockHierarchy(tx)
    await actor.verifyAgain?.(tx)
    const user = await getAccessibleUser(tx, actor, user_id)
    refuseOwnOrOffice(actor, user)
    const found = await findPackages(tx, named)
    const missing = named.find((one) => !found.some((each) => isSame(each, one)))
    if (missing) throw new Refusal('unknown_package', { ...missing })
    const moves = await change(tx, user, found)
    const changed_ids = new Set(moves.map((move) => move.user_id))
    const is_changed = changed_ids.delete(user_id)
    return { packages: await readPackages(tx, user_id), is_changed, below_count: changed_ids.size }
  })
}

/** @throws Refusal not_allowed */
function refuseOwnOrOffice(actor: Actor, { user_id, is_office }: UserInHierarchy): void {
  if (is_office || actor.principal_id === user_id) throw new Refusal('not_allowed')
}

function isSame(one: NamedPackage, other: NamedPackage): boolean {
  return one.product_code === other.product_code && one.package_code === other.package_code
}

/** @throws Refusal package_not_held */
async function refuseBeyondParent(
  tx: Tx,
  { parent_id }: UserInHierarchy,
  found: readonly FoundPackage[],
): Promise<void> {
  if (parent_id === null) return
  const held = new Set((await listPackagesOf(tx, parent_id)).map((each) => each.package_id))
  const packages = found.filter((each) => !held.has(each.package_id)).map(nameOf)
  if (packages.length > 0) throw new Refusal('package_not_held', { packages })
}

interface WrittenMoves {
  actor: Actor
  user_id: number
  found: readonly FoundPackage[]
  moves: readonly PackageMove[]
  reason: string
  action: 'give_packages' | 'take_packages'
}

/** One row for each user: which of the named packages it had before, and has now, and through whom it changed. */
async function writeMoves(tx: Tx, { actor, user_id, found, moves, reason, action }: WrittenMoves): Promise<void> {
  const movedOf = new Map<number, Set<number>>()
  for (const move of moves) {
    const moved = movedOf.get(move.user_id)
    if (moved) moved.add(move.package_id)
    else movedOf.set(move.user_id, new Set([move.package_id]))
  }
  const records = [...movedOf].map(([changed_id, moved]): AuditRecord => {
    const namesWhere = (isMoved: boolean) =>
      found.filter((each) => moved.has(each.package_id) === isMoved).map((each) => nameOf(each))
    const isGiven = action === 'give_packages'
    return {
      actor_id: actor.actor_id,
      action,
      subject: `user:${changed_id}`,
      // Named packages that were not moved were there already, or were missing anyway.
      before: { packages: namesWhere(!isGiven) },
      after: { packages: isGiven ? found.map((each) => nameOf(each)) : [], through: `user:${user_id}` },
      reason,
    }
  })
  await writeAudits(
    tx,
    records.toSorted((one, other) => one.subject.localeCompare(other.subject)),
  )
}

function nameOf({ product_code, package_code }: NamedPackage): string {
  return `${product_code}/${package_code}`
}
