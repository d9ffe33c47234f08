// The quotas that the office has set, by what each of them limits.

import type { MarketQuota, PackageQuota, PeriodPackageQuota, PeriodQuota, QuotaAmounts } from '@megalot/contract'
import type { BetTypeCode } from '@megalot/rules'
import { sql } from 'kysely'
import type { Db, Tx } from '../../postgres/db.ts'

/** What a quota limits: a bet type of a market, always or in one period, from all packages or from one. */
export interface QuotaScope {
  product_code: string
  /** Null: the standing quota. */
  period_id: number | null
  /** Null: all packages together. */
  package_code: string | null
  bet_type: BetTypeCode
}

const isOf = ({ product_code, period_id, package_code, bet_type }: QuotaScope) => sql`
  product_code = ${product_code} and period_id is not distinct from ${period_id}::int
  and package_code is not distinct from ${package_code}::text and bet_type = ${bet_type}`

/** Locks a quota against other changes until the transaction ends, if there is one. */
export async function lockQuota(tx: Tx, scope: QuotaScope): Promise<void> {
  await sql`select 1 from quotas where ${isOf(scope)} for update`.execute(tx)
}

/** Undefined: no limit of its own. */
export async function findQuota(db: Db, scope: QuotaScope): Promise<QuotaAmounts | undefined> {
  const { rows } = await sql<QuotaAmounts>`
    select full_satang, half_satang from quotas where ${isOf(scope)}`.execute(db)
  return rows[0]
}

/** @param quota null: the limit ends */
export async function saveQuota(tx: Tx, scope: QuotaScope, quota: QuotaAmounts | null): Promise<void> {
  if (quota === null) {
    await sql`delete from quotas where ${isOf(scope)}`.execute(tx)
    return
  }
  const { full_satang, half_satang } = quota
  await tx
    .insertInto('quotas')
    .values({ ...scope, full_satang, half_satang })
    .onConflict((on) =>
      on.columns(['period_id', 'product_code', 'package_code', 'bet_type']).doUpdateSet({ full_satang, half_satang }),
    )
    .execute()
}

export interface SetQuotas {
  markets: MarketQuota[]
  packages: PackageQuota[]
  periods: PeriodQuota[]
  period_packages: PeriodPackageQuota[]
}

/** Standing quotas, and those of periods that take bets now or later. @param product_code one market; absent: all of them */
export async function listQuotas(db: Db, product_code: string | null = null): Promise<SetQuotas> {
  const { rows } = await sql<MarketQuota & { period_code: string | null; package_code: string | null }>`
    select quotas.product_code, period_code, package_code, bet_type, full_satang, half_satang
    from quotas left join periods using (period_id)
    where (${product_code}::text is null or quotas.product_code = ${product_code})
      and (period_id is null or outcome = 'pending' and close_at > clock_timestamp())
    order by quotas.product_code, close_at, period_code, package_code, bet_type`.execute(db)
  const listed: SetQuotas = { markets: [], packages: [], periods: [], period_packages: [] }
  for (const { period_code, package_code, ...quota } of rows)
    if (period_code !== null && package_code !== null)
      listed.period_packages.push({ ...quota, period_code, package_code })
    else if (period_code !== null) listed.periods.push({ ...quota, period_code })
    else if (package_code !== null) listed.packages.push({ ...quota, package_code })
    else listed.markets.push(quota)
  return listed
}
