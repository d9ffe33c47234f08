// Packages given to many users, or taken from them and everybody below, by the rules for one (`givePackages`).

import * as contract from '@megalot/contract'
import * as z from 'zod/mini'
import { type AuditRow, lockOfHierarchy } from '../../../changes/index.ts'
import { refuseTooManyPackages } from '../../../markets/index.ts'
import type { Tx } from '../../../postgres/db.ts'
import { countReach } from '../../accounts/index.ts'
import { getNamedPackages, packageNameOf } from '../named-packages.ts'
import type { FoundPackage } from '../new-person.store.ts'
import { type BulkUser, countHoldersBelow, deletePackagesBelow, insertPackages, listPackageIds } from './bulk.store.ts'
import { byUser, defineBulk, idsOf, type RowDecision, withParents } from './define-bulk.ts'

interface State {
  named: readonly FoundPackage[]
  /** Of the users and their parents. */
  held: ReadonlyMap<number, Set<number>>
  /** How many below each user have one of the packages. */
  holdersBelow: ReadonlyMap<number, number>
}

/**
 * Gives packages to users, or takes them from users and everybody below. Rows are refused with package_not_held besides.
 * @throws Refusal unknown_package, payload_too_large
 */
export const changePackages = defineBulk({
  name: 'change_packages',
  action: ({ change }) => `${change}_packages`,
  needs: 'terms.do',
  input: z.pick(contract.changePackages.body, { user_ids: true, filter: true, change: true, packages: true }),
  ...byUser,
  async find(db, { change, packages }, caller, user_ids) {
    // Given to the named users alone, taken from all below them.
    const reach = change === 'give' ? user_ids.length : await countReach(db, caller, user_ids)
    refuseTooManyPackages(reach * packages.length)
    return { change, named: await getNamedPackages(db, packages) }
  },
  // Users who are being created below wait for this lock, or exist already.
  locks: () => [lockOfHierarchy],
  load: async ({ tx }, users, { change, named }): Promise<State> => ({
    named,
    held: await listPackageIds(tx, withParents(users)),
    holdersBelow: change === 'give' ? new Map() : await countHoldersBelow(tx, uplinesOf(users), packageIdsOf(named)),
  }),
  // A child may get what its parent gets in the same call.
  fromTheTop: true,
  decideRow: (state, { user }, { change }) => (change === 'give' ? decideGiven(state, user) : decideTaken(state, user)),
  async write({ tx }, rows, { named }, { change }) {
    if (change === 'take') return takeBelow(tx, rows, named)
    await insertPackages(
      tx,
      idsOf(rows).flatMap((user_id) => named.map(({ package_id }) => ({ user_id, package_id }))),
    )
    return []
  },
})

const packageIdsOf = (named: readonly FoundPackage[]): number[] => named.map(({ package_id }) => package_id)
const uplinesOf = (users: readonly BulkUser[]): number[] =>
  users.filter(({ below_count }) => below_count > 0).map(({ user_id }) => user_id)
const namesIn = (named: readonly FoundPackage[], held: ReadonlySet<number>): string[] =>
  named.filter(({ package_id }) => held.has(package_id)).map(packageNameOf)

function decideGiven({ named, held }: State, { user_id, parent_id }: BulkUser): RowDecision {
  const ofParent = held.get(parent_id!)!
  const own = held.get(user_id)!
  const lacking = named.filter(({ package_id }) => !ofParent.has(package_id)).map(packageNameOf)
  if (lacking.length > 0) return { code: 'package_not_held', details: { packages: lacking } }
  const before = namesIn(named, own)
  for (const { package_id } of named) own.add(package_id)
  return { before: { packages: before }, after: { packages: named.map(packageNameOf) } }
}

function decideTaken({ named, held, holdersBelow }: State, { user_id }: BulkUser): RowDecision {
  return {
    before: { packages: namesIn(named, held.get(user_id)!) },
    after: { packages: [] },
    below_count: holdersBelow.get(user_id) ?? 0,
  }
}

/** @returns a row for each user below who has lost a package, and through whom */
async function takeBelow(
  tx: Tx,
  rows: readonly { user: BulkUser }[],
  named: readonly FoundPackage[],
): Promise<AuditRow[]> {
  const user_ids = new Set(idsOf(rows))
  const lostOf = new Map<number, { through_id: number; lost: Set<number> }>()
  const uplines = uplinesOf(rows.map(({ user }) => user))
  const taken = await deletePackagesBelow(tx, [...user_ids], uplines, packageIdsOf(named))
  for (const { user_id, package_id, upline_ids } of taken) {
    if (user_ids.has(user_id)) continue
    const entry = lostOf.get(user_id) ?? { through_id: upline_ids.find((id) => user_ids.has(id))!, lost: new Set() }
    entry.lost.add(package_id)
    lostOf.set(user_id, entry)
  }
  return [...lostOf]
    .toSorted(([one], [other]) => one - other)
    .map(([user_id, { through_id, lost }]) => ({
      action: 'take_packages',
      subject: `user:${user_id}`,
      before: { packages: namesIn(named, lost) },
      after: { packages: [], through: `user:${through_id}` },
    }))
}
