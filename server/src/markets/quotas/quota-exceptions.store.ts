import type { PackageQuota, PeriodPackageQuota, PeriodQuota, QuotaAmounts } from '@megalot/contract'
import type { BetTypeCode } from '@megalot/rules'
import { sql } from 'kysely'
import type { Db, Tx } from '../../postgres/db.ts'

export interface PackageKey {
  product_code: string
  package_code: string
  bet_type: BetTypeCode
}

/** Whether the market has the package. */
export async function hasPackage(db: Db, { product_code, package_code }: PackageKey): Promise<boolean> {
  const found = await db
    .selectFrom('packages')
    .select('package_id')
    .where('product_code', '=', product_code)
    .where('package_code', '=', package_code)
    .executeTakeFirst()
  return found !== undefined
}

/** Where a quota holds in place of, or beside, that of a market: in a period, for a package, or for a package in a period. */
export type QuotaException =
  | { table: 'period_quotas'; key: { period_id: number; bet_type: BetTypeCode } }
  | { table: 'package_quotas'; key: PackageKey }
  | { table: 'period_package_quotas'; key: { period_id: number; package_code: string; bet_type: BetTypeCode } }

/** The quota of an exception, if it has one. Lock the period first, or the package of a standing one. */
export async function findQuota(tx: Tx, { table, key }: QuotaException): Promise<QuotaAmounts | undefined> {
  const { rows } = await sql<QuotaAmounts>`
    select full_satang, half_satang from ${sql.table(table)} where ${matches(key)}`.execute(tx)
  return rows[0]
}

/** @param quota null: the exception ends */
export async function saveQuota(tx: Tx, { table, key }: QuotaException, quota: QuotaAmounts | null): Promise<void> {
  if (quota === null) {
    await sql`delete from ${sql.table(table)} where ${matches(key)}`.execute(tx)
    return
  }
  const columns = sql.join(Object.keys(key).map((column) => sql.ref(column)))
  const { full_satang, half_satang } = quota
  await sql`
    insert into ${sql.table(table)} (${columns}, full_satang, half_satang)
    values (${sql.join(Object.values(key))}, ${full_satang}, ${half_satang})
    on conflict (${columns}) do update set full_satang = excluded.full_satang, half_satang = excluded.half_satang`.execute(
    tx,
  )
}

const matches = (key: QuotaException['key']) =>
  sql.join(
    Object.entries(key).map(([column, value]) => sql`${sql.ref(column)} = ${value}`),
    sql` and `,
  )

/** @param product_code one market, or all of them */
export async function listPackageQuotas(db: Db, product_code: string | undefined): Promise<PackageQuota[]> {
  const { rows } = await sql<PackageQuota>`
    select product_code, package_code, bet_type, full_satang, half_satang from package_quotas
    where ${product_code ?? null}::text is null or product_code = ${product_code ?? null}
    order by product_code, package_code, bet_type`.execute(db)
  return rows
}

/** Those of periods that take bets now or later. @param product_code one market, or all of them */
export async function listPeriodQuotas(db: Db, product_code: string | undefined): Promise<PeriodQuota[]> {
  const { rows } = await sql<PeriodQuota>`
    select product_code, period_code, bet_type, full_satang, half_satang from period_quotas join periods using (period_id)
    where (${product_code ?? null}::text is null or product_code = ${product_code ?? null})
      and periods.outcome = 'pending' and close_at > clock_timestamp()
    order by product_code, close_at, period_code, bet_type`.execute(db)
  return rows
}

/** Those of packages in periods that take bets now or later. @param product_code one market, or all of them */
export async function listPeriodPackageQuotas(db: Db, product_code: string | undefined): Promise<PeriodPackageQuota[]> {
  const { rows } = await sql<PeriodPackageQuota>`
    select product_code, period_code, package_code, bet_type, full_satang, half_satang
    from period_package_quotas join periods using (period_id)
    where (${product_code ?? null}::text is null or product_code = ${product_code ?? null})
      and periods.outcome = 'pending' and close_at > clock_timestamp()
    order by product_code, close_at, period_code, package_code, bet_type`.execute(db)
  return rows
}
