// Users' packages, given and taken by their uplines and the office. Existing tickets keep the terms of their items; the
// next ticket is refused (`no_package`).

import * as contract from '@megalot/contract'
import type { NamedPackage, UserPackage, UserPackagesChange } from '@megalot/contract'
import * as z from 'zod/mini'
import { type AuditRow, defineChange, lockOfHierarchy } from '../changes/index.ts'
import type { Scope } from '../http/caller.ts'
import type { Db, Tx } from '../postgres/db.ts'
import { Refusal } from '../lib/refusal.ts'
import { countReach, getAccessibleUser } from '../identity/accounts/index.ts'
import {
  deleteUserPackages,
  findPackages,
  insertUserPackages,
  listPackagesOf,
  type PackageMove,
} from './user-packages.store.ts'

/**
 * A user's packages of all markets.
 * @throws Refusal not_found (no such user, or the caller may not access it)
 */
export async function listUserPackages(db: Db, caller: Scope, user_id: number): Promise<UserPackage[]> {
  await getAccessibleUser(db, caller, user_id)
  return readPackages(db, user_id)
}

async function readPackages(db: Db, user_id: number): Promise<UserPackage[]> {
  const packages = await listPackagesOf(db, user_id)
  return packages.map(({ product_code, package_code, name }) => ({ product_code, package_code, name }))
}

/**
 * The most package assignments that one call may change, because it holds the hierarchy lock and must end within the
 * statement timeout.
 */
const MAX_CHANGED_PACKAGES = 150_000

/** @throws Refusal payload_too_large: give fewer packages at a time, or to smaller downlines */
export function refuseTooManyPackages(changed: number): void {
  if (changed > MAX_CHANGED_PACKAGES) throw new Refusal('payload_too_large')
}

/**
 * Gives packages to a user, by any of its uplines or the office, and optionally to all users below. Packages that a
 * user already has are unaffected. A child never has a package that its parent lacks.
 * @throws Refusal not_found (not in the caller's downline), not_allowed (oneself, an office user), unknown_package,
 * payload_too_large, package_not_held (packages that the user's parent lacks)
 */
export const givePackages = defineChange({
  name: 'give_packages',
  needs: 'terms.do',
  input: z.extend(z.omit(contract.givePackages.body, { reason: true }), { user_id: z.int() }),
  find: (db, { user_id, packages, includes_below = false }, caller) =>
    findLine(db, caller, { user_id, packages }, includes_below),
  // Users being created below either wait for this lock or already exist; otherwise one could keep a package that its
  // parent loses.
  locks: () => [lockOfHierarchy],
  load: async ({ tx }, _input, { parent_id, found }) => ({
    found,
    ofParent: parent_id === null ? found : await listPackagesOf(tx, parent_id),
  }),
  decide({ found, ofParent }, { user_id, includes_below = false }) {
    const held = new Set(ofParent.map((each) => each.package_id))
    const packages = found.filter((each) => !held.has(each.package_id)).map(nameOf)
    if (packages.length > 0) throw new Refusal('package_not_held', { packages })
    return { plan: { user_id, found, includes_below } }
  },
  async write({ tx }, { user_id, found, includes_below }) {
    const moves = await insertUserPackages(tx, user_id, idsOf(found), includes_below)
    return describeMoves(tx, { user_id, found, moves, isGiven: true })
  },
})

/**
 * Takes packages from a user and all users below it, by any of its uplines or the office.
 * @throws Refusal not_found (not in the caller's downline), not_allowed (oneself, an office user), unknown_package,
 * payload_too_large
 */
export const takePackages = defineChange({
  name: 'take_packages',
  needs: 'terms.do',
  input: z.extend(z.omit(contract.takePackages.body, { reason: true }), { user_id: z.int() }),
  find: (db, input, caller) => findLine(db, caller, input, true),
  locks: () => [lockOfHierarchy],
  load: async (_at, _input, { found }) => found,
  decide: (found, { user_id }) => ({ plan: { user_id, found } }),
  async write({ tx }, { user_id, found }) {
    const moves = await deleteUserPackages(tx, user_id, idsOf(found))
    return describeMoves(tx, { user_id, found, moves, isGiven: false })
  },
})

type FoundPackage = Awaited<ReturnType<typeof findPackages>>[number]

const idsOf = (packages: readonly FoundPackage[]): number[] => packages.map((each) => each.package_id)

/** The user and the packages. A user's place and packages' names never change. */
async function findLine(
  db: Db,
  caller: Scope,
  { user_id, packages }: { user_id: number; packages: readonly NamedPackage[] },
  includes_below: boolean,
): Promise<{ parent_id: number | null; found: FoundPackage[] }> {
  const { parent_id, is_office } = await getAccessibleUser(db, caller, user_id)
  if (is_office || caller.principal_id === user_id) throw new Refusal('not_allowed')
  const reach = includes_below ? await countReach(db, caller, [user_id]) : 1
  refuseTooManyPackages(reach * packages.length)
  const found = await findPackages(db, packages)
  const missing = packages.find((one) => !found.some((each) => isSame(each, one)))
  if (missing) throw new Refusal('unknown_package', { ...missing })
  return { parent_id, found }
}

function isSame(one: NamedPackage, other: NamedPackage): boolean {
  return one.product_code === other.product_code && one.package_code === other.package_code
}

interface Moves {
  user_id: number
  found: readonly FoundPackage[]
  moves: readonly PackageMove[]
  isGiven: boolean
}

/**
 * The effect of a change. One audit row per user: which of the named packages it had before and has now, and through
 * whom it changed.
 */
async function describeMoves(tx: Tx, { user_id, found, moves, isGiven }: Moves) {
  const movedOf = new Map<number, Set<number>>()
  for (const move of moves) {
    const moved = movedOf.get(move.user_id)
    if (moved) moved.add(move.package_id)
    else movedOf.set(move.user_id, new Set([move.package_id]))
  }
  const rows = [...movedOf].map(([changed_id, moved]): AuditRow => {
    const namesWhere = (isMoved: boolean) => found.filter((each) => moved.has(each.package_id) === isMoved).map(nameOf)
    return {
      subject: `user:${changed_id}`,
      // Named packages that were not moved were already there, or already missing.
      before: { packages: namesWhere(!isGiven) },
      after: { packages: isGiven ? found.map(nameOf) : [], through: `user:${user_id}` },
    }
  })
  const is_changed = movedOf.has(user_id)
  const below_count = movedOf.size - Number(is_changed)
  const outcome: UserPackagesChange = { packages: await readPackages(tx, user_id), is_changed, below_count }
  return { outcome, rows: rows.toSorted((one, other) => one.subject.localeCompare(other.subject)) }
}

function nameOf({ product_code, package_code }: NamedPackage): string {
  return `${product_code}/${package_code}`
}
