// Packages as the console names them.

import type { NamedPackage } from '@megalot/contract'
import type { Db } from '../../postgres/db.ts'
import { Refusal } from '../../lib/refusal.ts'
import { type FoundPackage, findNamedPackages, listPackagesOfUser } from './new-person.store.ts'

export const packageNameOf = ({ product_code, package_code }: NamedPackage): string => `${product_code}/${package_code}`

/** @throws Refusal unknown_package */
export async function getNamedPackages(db: Db, named: readonly NamedPackage[]): Promise<FoundPackage[]> {
  const found = await findNamedPackages(db, named)
  const names = new Set(found.map(packageNameOf))
  const missing = named.find((one) => !names.has(packageNameOf(one)))
  if (missing) throw new Refusal('unknown_package', { ...missing })
  return found
}

/** @throws Refusal unknown_package; package_not_held: those that the user has not */
export async function getPackagesHeldBy(
  db: Db,
  user_id: number,
  named: readonly NamedPackage[],
): Promise<FoundPackage[]> {
  const found = await getNamedPackages(db, named)
  const held = new Set((await listPackagesOfUser(db, user_id)).map(({ package_id }) => package_id))
  const packages = found.filter(({ package_id }) => !held.has(package_id)).map(packageNameOf)
  if (packages.length > 0) throw new Refusal('package_not_held', { packages })
  return found
}
