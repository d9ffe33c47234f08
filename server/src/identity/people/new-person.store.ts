import type { NamedPackage } from '@megalot/contract'
import { sql } from 'kysely'
import type { Db, Tx } from '../../postgres/db.ts'

export interface FoundPackage extends NamedPackage {
  package_id: number
}

/** The packages of these names; unknown names are left out. */
export async function findNamedPackages(db: Db, named: readonly NamedPackage[]): Promise<FoundPackage[]> {
  const { rows } = await sql<FoundPackage>`
    select distinct package_id, product_code, package_code from packages join unnest(
      ${named.map((each) => each.product_code)}::text[], ${named.map((each) => each.package_code)}::text[]
    ) as given (product_code, package_code) using (product_code, package_code) order by package_id`.execute(db)
  return rows
}

/** The packages of a user, by name. */
export async function listPackagesOfUser(db: Db, user_id: number): Promise<FoundPackage[]> {
  const { rows } = await sql<FoundPackage>`
    select package_id, product_code, package_code from user_packages join packages using (package_id)
    where user_id = ${user_id} order by package_id`.execute(db)
  return rows
}

export async function insertPackagesOf(tx: Tx, user_id: number, package_ids: readonly number[]): Promise<void> {
  await sql`
    insert into user_packages (user_id, package_id) select ${user_id}, unnest(${package_ids}::int[])`.execute(tx)
}

/** The wanted username, or with the first number from 2 on that makes it free. */
export async function findFreeUsername(db: Db, wanted: string): Promise<string> {
  const { rows } = await sql<{ username: string }>`
    select username from (
      select ${wanted}::text || case when n = 1 then '' else n::text end as username, n from generate_series(1, 1000) n
    ) tried
    where not exists (select from users where users.username = tried.username) order by n limit 1`.execute(db)
  return rows[0]?.username ?? wanted
}
