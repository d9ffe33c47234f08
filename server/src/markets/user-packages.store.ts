import type { NamedPackage, UserPackage } from '@megalot/contract'
import { sql } from 'kysely'
import type { Db, Tx } from '../postgres/db.ts'

/** A user's packages of all markets, in market order. */
export async function listPackagesOf(db: Db, user_id: number): Promise<(UserPackage & { package_id: number })[]> {
  return db
    .selectFrom('user_packages')
    .innerJoin('packages', 'packages.package_id', 'user_packages.package_id')
    .innerJoin('products', 'products.product_code', 'packages.product_code')
    .select(['packages.package_id', 'packages.product_code', 'package_code', 'name'])
    .where('user_id', '=', user_id)
    .orderBy('products.position')
    .orderBy('packages.position')
    .execute()
}

/** The packages with these names, in market order; unknown names are left out. */
export async function findPackages(
  db: Db,
  named: readonly NamedPackage[],
): Promise<(NamedPackage & { package_id: number })[]> {
  const { rows } = await sql<NamedPackage & { package_id: number }>`
    select package_id, product_code, package_code from packages join products using (product_code)
    where (product_code, package_code) in (
      select * from unnest(${named.map((each) => each.product_code)}::text[], ${named.map((each) => each.package_code)}::text[]))
    order by products.position, packages.position`.execute(db)
  return rows
}

/** A package that a user gained or lost. */
export interface PackageMove {
  user_id: number
  package_id: number
}

/** Gives packages to users who do not have them yet. */
export async function insertUserPackages(
  tx: Tx,
  user_id: number,
  package_ids: readonly number[],
  includes_below: boolean,
): Promise<PackageMove[]> {
  const { rows } = await sql<PackageMove>`
    insert into user_packages (user_id, package_id)
    select users.user_id, given.package_id from users cross join unnest(${package_ids}::int[]) as given (package_id)
    where not users.is_office
      and (users.user_id = ${user_id} or (${includes_below} and users.upline_ids @> array[${user_id}]::bigint[]))
    order by users.user_id, given.package_id
    on conflict do nothing returning user_id, package_id`.execute(tx)
  return rows
}

/** Takes packages from a user and all users below. */
export async function deleteUserPackages(
  tx: Tx,
  user_id: number,
  package_ids: readonly number[],
): Promise<PackageMove[]> {
  const { rows } = await sql<PackageMove>`
    delete from user_packages given using users
    where users.user_id = given.user_id and given.package_id = any(${package_ids}::int[])
      and (users.user_id = ${user_id} or users.upline_ids @> array[${user_id}]::bigint[])
    returning given.user_id, given.package_id`.execute(tx)
  return rows
}
