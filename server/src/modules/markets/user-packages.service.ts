// The packages that users may bet with, as their uplines and the office give and take them. A ticket that stands keeps the
// terms written on its items; the next one is refused (`no_package`).

import type { NamedPackage, UserPackage, UserPackagesChange } from '@megalot/contract'
import { type Caller, mayReach } from '../../platform/caller.ts'
import type { Db, Tx } from '../../platform/db.ts'
import { Refusal } from '../../platform/refusal.ts'
import { lockTree } from '../accounts/index.ts'
import { type AuditRecord, writeAudits } from '../audit/index.ts'
import {
  deleteUserPackages,
  findPackages,
  findPlace,
  insertUserPackages,
  listPackagesOf,
  type PackageMove,
  type UserPlace,
} from './user-packages.store.ts'

type Actor = Pick<Caller, 'user_id' | 'is_office'>

/** The packages of all markets that a user has. @throws Refusal not_found (no such user, or not in the caller's sight) */
export async function listUserPackages(db: Db, caller: Actor, user_id: number): Promise<UserPackage[]> {
  await getPlaceInSight(db, caller, user_id)
  return readPackages(db, user_id)
}

async function readPackages(db: Db, user_id: number): Promise<UserPackage[]> {
  const packages = await listPackagesOf(db, user_id)
  return packages.map(({ product_code, package_code, name }) => ({ product_code, package_code, name }))
}

/** @throws Refusal not_found */
async function getPlaceInSight(db: Db, caller: Actor, user_id: number): Promise<UserPlace> {
  const place = await findPlace(db, user_id)
  if (!place || !mayReach(caller, place)) throw new Refusal('not_found')
  return place
}

export interface PackagesChange {
  packages: readonly NamedPackage[]
  reason: string
}

/**
 * Gives packages to a user, by any of its uplines or the office, where wanted to everybody below it as well. What somebody
 * has already stays. A child never has what its parent has not (§8 of the domain rules).
 * @throws Refusal not_found (not in the actor's downline), not_allowed (oneself, an office user), unknown_package,
 * package_not_held (the packages that the user's parent has not)
 */
export async function givePackages(
  db: Db,
  actor: Actor,
  user_id: number,
  { packages, reason, includes_below = false }: PackagesChange & { includes_below?: boolean | undefined },
): Promise<UserPackagesChange> {
  return changeLine(db, actor, user_id, packages, async (tx, place, found) => {
    await refuseBeyondParent(tx, place, found)
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
  change: (tx: Tx, place: UserPlace, found: readonly FoundPackage[]) => Promise<PackageMove[]>,
): Promise<UserPackagesChange> {
  return db.transaction().execute(async (tx) => {
    // Who is being placed below waits, or is there: it would keep what its parent loses.
    await lockTree(tx)
    const place = await getPlaceInSight(tx, actor, user_id)
    if (place.is_office || actor.user_id === user_id) throw new Refusal('not_allowed')
    const found = await findPackages(tx, named)
    const missing = named.find((one) => !found.some((each) => isSame(each, one)))
    if (missing) throw new Refusal('unknown_package', { ...missing })
    const moves = await change(tx, place, found)
    const changed_ids = new Set(moves.map((move) => move.user_id))
    const is_changed = changed_ids.delete(user_id)
    return { packages: await readPackages(tx, user_id), is_changed, below_count: changed_ids.size }
  })
}

function isSame(one: NamedPackage, other: NamedPackage): boolean {
  return one.product_code === other.product_code && one.package_code === other.package_code
}

/** @throws Refusal package_not_held */
async function refuseBeyondParent(tx: Tx, { parent_id }: UserPlace, found: readonly FoundPackage[]): Promise<void> {
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

/** One row for each user: which of the named packages it had before, and has now, and by whose change. */
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
      actor_id: actor.user_id,
      action,
      subject: `user:${changed_id}`,
      // What was named and not moved was there already, or was not there anyway.
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
