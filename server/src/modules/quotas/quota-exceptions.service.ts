// Quotas beside the standing ones of markets: of single periods, of packages, and of packages in single periods.

import type {
  ApprovalKind,
  PackageQuota,
  PeriodPackageQuota,
  PeriodQuota,
  QuotaAmounts,
  MarketQuota,
} from '@megalot/contract'
import type { BetTypeCode } from '@megalot/rules'
import { verifyCallerAgain } from '../../platform/call-origin.ts'
import { type Db, inTransaction, type Tx } from '../../platform/db.ts'
import type { DecisionAuthority } from '../../platform/decision-authority.ts'
import { Refusal } from '../../platform/refusal.ts'
import { writeAudit } from '../audit/index.ts'
import {
  getPeriodRecord,
  getProduct,
  lockPeriod,
  lockPeriodsToBet,
  packageSubject,
  type PeriodRecord,
} from '../markets/index.ts'
import {
  findQuota,
  listPackageQuotas,
  listPeriodPackageQuotas,
  listPeriodQuotas,
  lockPackage,
  type PackageKey,
  type QuotaException,
  saveQuota,
} from './quota-exceptions.store.ts'
import { isRaised } from './market-quotas.service.ts'
import { lockMarketQuota } from './market-quotas.store.ts'

export interface PeriodQuotaChange {
  /** Where the caller names the market too, the period must be of it. */
  product_code?: string | undefined
  period_code: string
  bet_type: BetTypeCode
  /** Null: the standing quota holds again. */
  quota: QuotaAmounts | null
  reason: string
}

/**
 * Sets the quota of a bet type for one period, in place of the standing one, from the next batch of every node on.
 * @throws Refusal unknown_period, bet_type_not_offered, period_closed, approval_needed (one person alone, more than the
 * standing quota and than the present one)
 */
export async function setPeriodQuota(
  db: Db,
  actor_id: number,
  { product_code, period_code, bet_type, quota, reason }: PeriodQuotaChange,
  authority: DecisionAuthority = 'alone',
): Promise<void> {
  const named = await getPeriodRecord(db, period_code)
  if (product_code !== undefined && product_code !== named.product_code) throw new Refusal('unknown_period')
  await assertOffered(db, named.product_code, bet_type)
  await inTransaction(db, async (tx) => {
    const period = await lockPeriod(tx, period_code)
    if (!period) throw new Refusal('unknown_period')
    if (period.status !== 'open' && period.status !== 'upcoming') throw new Refusal('period_closed')
    const standing = await lockMarketQuota(tx, { product_code: period.product_code, bet_type })
    const exception = ofPeriod(period, bet_type)
    const before = await findQuota(tx, exception)
    const kind: ApprovalKind = 'raise_quota'
    if (authority === 'alone' && quota && isRaised(standing, quota) && isRaised(before ?? standing, quota))
      throw new Refusal('approval_needed', { kind, ...standing, period_code })
    await saveQuota(tx, exception, quota)
    await verifyCallerAgain(tx)
    await writeAudit(tx, {
      actor_id,
      action: 'set_period_quota',
      subject: `period:${period_code}`,
      ...(before && { before: { bet_type, ...before } }),
      after: { bet_type, ...quota },
      reason,
    })
  })
}

/**
 * The quota of a bet type in a period, locked until the transaction ends; undefined: there is none.
 * @throws Refusal unknown_period
 */
export async function lockPeriodQuota(
  tx: Tx,
  key: Pick<MarketQuota, 'product_code' | 'bet_type'>,
  period_code: string,
): Promise<QuotaAmounts | undefined> {
  const period = await lockPeriod(tx, period_code)
  if (period?.product_code !== key.product_code) throw new Refusal('unknown_period')
  const standing = await lockMarketQuota(tx, key)
  return (await findQuota(tx, ofPeriod(period, key.bet_type))) ?? standing
}

function ofPeriod({ period_id }: PeriodRecord, bet_type: BetTypeCode): QuotaException {
  return { table: 'period_quotas', key: { period_id, bet_type } }
}

export interface PackageQuotaChange extends PackageKey {
  /** Only in this period, in place of the standing quota of the package. */
  period_code?: string | undefined
  /** Null: it ends. What is left is the standing quota of the package for a period, and that of the market for a package. */
  quota: QuotaAmounts | null
  reason: string
}

/**
 * Sets the quota of a bet type for the tickets of a package, from the next batch of every node on: they are accepted until a
 * number has that much from all packages. It only lowers what the market allows, so that one person may raise it too: but not
 * where the market has no quota for the bet type, and nothing else limits these tickets.
 * @throws Refusal unknown_product, unknown_package, bet_type_not_offered, unknown_period (not of the market), period_closed,
 * approval_needed (one person alone, no quota of the market, and more than the present one, in a period also more than the
 * standing one of the package)
 */
export async function setPackageQuota(
  db: Db,
  actor_id: number,
  { period_code, quota, reason, ...key }: PackageQuotaChange,
  authority: DecisionAuthority = 'alone',
): Promise<void> {
  const { product_code, package_code, bet_type } = key
  await assertOffered(db, product_code, bet_type)
  await inTransaction(db, async (tx) => {
    // Periods before packages, as whoever places tickets locks them.
    const period = period_code === undefined ? undefined : await lockOpenPeriod(tx, product_code, period_code)
    if (period === undefined) await lockPeriodsToBet(tx, product_code)
    if (!(await lockPackage(tx, key))) throw new Refusal('unknown_package')
    const exception = ofPackage(key, period)
    const before = await findQuota(tx, exception)
    if (authority === 'alone' && !(await lockMarketQuota(tx, key))) {
      const standing = await findQuota(tx, ofPackage(key))
      // In a period null is no raise: the standing one holds again.
      const isMore = period
        ? quota !== null && isRaised(standing, quota) && isRaised(before ?? standing, quota)
        : isRaised(before, quota)
      const kind: ApprovalKind = 'raise_quota'
      if (isMore)
        throw new Refusal('approval_needed', { kind, ...standing, package_code, ...(period && { period_code }) })
    }
    await saveQuota(tx, exception, quota)
    await verifyCallerAgain(tx)
    const about = { bet_type, ...(period && { package_code }) }
    await writeAudit(tx, {
      actor_id,
      action: 'set_package_quota',
      subject: period ? `period:${period_code}` : packageSubject(product_code, package_code),
      ...(before && { before: { ...about, ...before } }),
      after: { ...about, ...quota },
      reason,
    })
  })
}

/**
 * The quota of a package, or of a package in a period, locked until the transaction ends; undefined: there is none.
 * @throws Refusal unknown_period, unknown_package
 */
export async function lockPackageQuota(
  tx: Tx,
  key: PackageKey,
  period_code: string | undefined,
): Promise<QuotaAmounts | undefined> {
  const period = period_code === undefined ? undefined : await lockPeriod(tx, period_code)
  if (period_code === undefined) await lockPeriodsToBet(tx, key.product_code)
  else if (period?.product_code !== key.product_code) throw new Refusal('unknown_period')
  if (!(await lockPackage(tx, key))) throw new Refusal('unknown_package')
  const standing = await findQuota(tx, ofPackage(key))
  return period ? ((await findQuota(tx, ofPackage(key, period))) ?? standing) : standing
}

/** Of the package itself, or, with a period, of the package there. */
function ofPackage(key: PackageKey, period?: PeriodRecord): QuotaException {
  const { product_code, package_code, bet_type } = key
  return period
    ? { table: 'period_package_quotas', key: { period_id: period.period_id, package_code, bet_type } }
    : { table: 'package_quotas', key: { product_code, package_code, bet_type } }
}

/** @throws Refusal unknown_period, period_closed */
async function lockOpenPeriod(tx: Tx, product_code: string, period_code: string): Promise<PeriodRecord> {
  const period = await lockPeriod(tx, period_code)
  if (period?.product_code !== product_code) throw new Refusal('unknown_period')
  if (period.status !== 'open' && period.status !== 'upcoming') throw new Refusal('period_closed')
  return period
}

async function assertOffered(db: Db, product_code: string, bet_type: BetTypeCode): Promise<void> {
  const { bet_types } = await getProduct(db, product_code)
  if (!bet_types.includes(bet_type)) throw new Refusal('bet_type_not_offered')
}

/**
 * Quotas of packages, of single periods that take bets now or later, and of packages in such periods. @param product_code one market, or all of them
 * @throws Refusal unknown_product
 */
export async function listQuotaExceptions(
  db: Db,
  product_code?: string,
): Promise<{ packages: PackageQuota[]; periods: PeriodQuota[]; period_packages: PeriodPackageQuota[] }> {
  if (product_code !== undefined) await getProduct(db, product_code)
  const [packages, periods, period_packages] = await Promise.all([
    listPackageQuotas(db, product_code),
    listPeriodQuotas(db, product_code),
    listPeriodPackageQuotas(db, product_code),
  ])
  return { packages, periods, period_packages }
}
