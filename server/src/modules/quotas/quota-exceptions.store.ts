import type { PackageQuota, PeriodPackageQuota, PeriodQuota, QuotaAmounts } from '@megalot/contract'
import type { BetTypeCode } from '@megalot/rules'
import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db.ts'

/** The quota of a period in place of the standing one, if it has one. Lock the period first. */
export async function findPeriodQuota(
  tx: Tx,
  period_id: number,
  bet_type: BetTypeCode,
): Promise<QuotaAmounts | undefined> {
  return tx
    .selectFrom('period_quotas')
    .select(['full_satang', 'half_satang'])
    .where('period_id', '=', period_id)
    .where('bet_type', '=', bet_type)
    .executeTakeFirst()
}

/** @param quota null: the standing quota holds again */
export async function savePeriodQuota(
  tx: Tx,
  period_id: number,
  bet_type: BetTypeCode,
  quota: QuotaAmounts | null,
): Promise<void> {
  if (quota === null)
    await tx.deleteFrom('period_quotas').where('period_id', '=', period_id).where('bet_type', '=', bet_type).execute()
  else
    await tx
      .insertInto('period_quotas')
      .values({ period_id, bet_type, ...quota })
      .onConflict((on) => on.columns(['period_id', 'bet_type']).doUpdateSet(quota))
      .execute()
}

export interface PackageKey {
  product_code: string
  package_code: string
  bet_type: BetTypeCode
}

/** Locks the package against other changes of its quotas, but not against tickets. @returns whether the market has it */
export async function lockPackage(tx: Tx, { product_code, package_code }: PackageKey): Promise<boolean> {
  const found = await tx
    .selectFrom('packages')
    .select('package_id')
    .where('product_code', '=', product_code)
    .where('package_code', '=', package_code)
    .forNoKeyUpdate()
    .executeTakeFirst()
  return found !== undefined
}

/** The quota of a package, if it has one. Lock the package first. */
export async function findPackageQuota(
  tx: Tx,
  { product_code, package_code, bet_type }: PackageKey,
): Promise<QuotaAmounts | undefined> {
  return tx
    .selectFrom('package_quotas')
    .select(['full_satang', 'half_satang'])
    .where('product_code', '=', product_code)
    .where('package_code', '=', package_code)
    .where('bet_type', '=', bet_type)
    .executeTakeFirst()
}

/** @param quota null: only the quota of the market holds */
export async function savePackageQuota(
  tx: Tx,
  { product_code, package_code, bet_type }: PackageKey,
  quota: QuotaAmounts | null,
): Promise<void> {
  if (quota === null)
    await tx
      .deleteFrom('package_quotas')
      .where('product_code', '=', product_code)
      .where('package_code', '=', package_code)
      .where('bet_type', '=', bet_type)
      .execute()
  else
    await tx
      .insertInto('package_quotas')
      .values({ product_code, package_code, bet_type, ...quota })
      .onConflict((on) => on.columns(['product_code', 'package_code', 'bet_type']).doUpdateSet(quota))
      .execute()
}

/** The quota of a package in a period in place of its standing one, if it has one. Lock the period first. */
export async function findPeriodPackageQuota(
  tx: Tx,
  period_id: number,
  { package_code, bet_type }: PackageKey,
): Promise<QuotaAmounts | undefined> {
  return tx
    .selectFrom('period_package_quotas')
    .select(['full_satang', 'half_satang'])
    .where('period_id', '=', period_id)
    .where('package_code', '=', package_code)
    .where('bet_type', '=', bet_type)
    .executeTakeFirst()
}

/** @param quota null: the standing quota of the package holds again */
export async function savePeriodPackageQuota(
  tx: Tx,
  period_id: number,
  { package_code, bet_type }: PackageKey,
  quota: QuotaAmounts | null,
): Promise<void> {
  if (quota === null)
    await tx
      .deleteFrom('period_package_quotas')
      .where('period_id', '=', period_id)
      .where('package_code', '=', package_code)
      .where('bet_type', '=', bet_type)
      .execute()
  else
    await tx
      .insertInto('period_package_quotas')
      .values({ period_id, package_code, bet_type, ...quota })
      .onConflict((on) => on.columns(['period_id', 'package_code', 'bet_type']).doUpdateSet(quota))
      .execute()
}

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
