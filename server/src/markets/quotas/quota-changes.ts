// Changes of quotas: of a market, and in its place of a package, a period, or a package in a period.

import * as contract from '@megalot/contract'
import type { MarketQuota, QuotaAmounts } from '@megalot/contract'
import { defineChange, type Lock } from '../../changes/index.ts'
import type { Db, Tx } from '../../postgres/db.ts'
import { Refusal } from '../../lib/refusal.ts'
import {
  findPeriod,
  getPeriodRecord,
  getProduct,
  lockOfPackage,
  lockOfPeriods,
  lockOfPeriodsToBet,
  packageSubject,
  type PeriodRecord,
} from '../index.ts'
import { findQuota, listQuotas, lockQuota, type QuotaScope, saveQuota, type SetQuotas } from './quota-settings.store.ts'

type BetTypeOfMarket = Pick<MarketQuota, 'product_code' | 'bet_type'>

const all = ({ full_satang, half_satang }: QuotaAmounts) => full_satang + half_satang

/** Whether more is accepted than before, at the full rate or in all. Without a limit everything is. @param after null: no limit */
export function isRaised(before: QuotaAmounts | undefined, after: QuotaAmounts | null): boolean {
  if (!before) return false
  if (after === null) return true
  return after.full_satang > before.full_satang || all(after) > all(before)
}

/** @throws Refusal unknown_product, bet_type_not_offered */
export async function refuseUnoffered(db: Db, { product_code, bet_type }: BetTypeOfMarket): Promise<void> {
  const { bet_types } = await getProduct(db, product_code)
  if (!bet_types.includes(bet_type)) throw new Refusal('bet_type_not_offered')
}

export const ofMarket = ({ product_code, bet_type }: BetTypeOfMarket): QuotaScope => ({
  ...{ product_code, bet_type },
  ...{ period_id: null, package_code: null },
})

export const marketQuota = (key: BetTypeOfMarket): Lock => ({
  rank: 'settings',
  key: `quota:${key.product_code}:${key.bet_type}`,
  take: (tx) => lockQuota(tx, ofMarket(key)),
})

/**
 * Sets how much is accepted on each number of a bet type of a market: its standing quota. Two people are needed to raise it, and for a first
 * one above that of a package: from then on one person may raise that of the package up to it.
 * @throws Refusal unknown_product, bet_type_not_offered
 */
export const setQuota = defineChange({
  name: 'set_quota',
  needs: 'risk.do',
  input: contract.marketQuota,
  find: (db, quota) => refuseUnoffered(db, quota),
  locks: (quota) => [lockOfPeriodsToBet(quota.product_code), marketQuota(quota)],
  load: async ({ tx }, quota) => {
    const set = await findQuota(tx, ofMarket(quota))
    return {
      before: set && { ...quota, ...set },
      isAbovePackage: !set && isAbovePackage(await listQuotas(tx, quota.product_code), quota),
    }
  },
  decide: ({ before, isAbovePackage: isAbove }, quota) => ({
    plan: quota,
    rows: [{ subject: `product:${quota.product_code}`, ...(before && { before }), after: quota }],
    needsTwo: (before ? isRaised(before, quota) : isAbove) && { ...before },
    proposal: { product_code: quota.product_code },
  }),
  write: ({ tx }, quota) => saveQuota(tx, ofMarket(quota), quota),
})

/**
 * Whether a package of the market has less for the bet type, also in a single period: less than the new quota, or than one of a period, which
 * needed nobody else as long as the market had none.
 */
export function isAbovePackage({ packages, periods, period_packages }: SetQuotas, quota: MarketQuota): boolean {
  const isOfType = ({ bet_type }: Pick<MarketQuota, 'bet_type'>) => bet_type === quota.bet_type
  const limits = [quota, ...periods.filter(isOfType)]
  return [...packages, ...period_packages].filter(isOfType).some((own) => limits.some((limit) => isRaised(own, limit)))
}

/**
 * Sets the quota of a bet type for one period, in place of the standing one. Two people are needed for more than the standing quota and the
 * present one.
 * @throws Refusal unknown_period, bet_type_not_offered, period_closed
 */
export const setPeriodQuota = defineChange({
  name: 'set_period_quota',
  needs: 'risk.do',
  input: contract.periodQuotaChange,
  async find(db, { period_code, bet_type }) {
    const { product_code } = await getPeriodRecord(db, period_code)
    await refuseUnoffered(db, { product_code, bet_type })
    return product_code
  },
  locks: ({ period_code, bet_type }, product_code) => [
    lockOfPeriods(period_code),
    marketQuota({ product_code, bet_type }),
  ],
  load: async ({ tx }, { period_code, bet_type }, product_code) => {
    const period = await findOpenPeriod(tx, product_code, period_code)
    const market = ofMarket({ product_code, bet_type })
    const scope = { ...market, period_id: period.period_id }
    return { scope, standing: await findQuota(tx, market), own: await findQuota(tx, scope) }
  },
  decide({ scope, standing, own }, { period_code, bet_type, quota }) {
    const isMore = quota !== null && isRaised(standing, quota) && isRaised(own ?? standing, quota)
    const after = { bet_type, ...quota }
    return {
      plan: { scope, quota },
      rows: [{ subject: `period:${period_code}`, ...(own && { before: { bet_type, ...own } }), after }],
      needsTwo: isMore && { ...standing, period_code },
      proposal: { product_code: scope.product_code, before: own ?? standing ?? null, after },
    }
  },
  write: ({ tx }, { scope, quota }) => saveQuota(tx, scope, quota),
})

/**
 * Sets the quota of a bet type for the tickets of a package: they are accepted until a number has that much from all packages. It only lowers
 * what the market allows, so that one person may raise it; two are needed where the market has no quota for the bet type.
 * @throws Refusal unknown_product, unknown_package, bet_type_not_offered, unknown_period (not of the market), period_closed
 */
export const setPackageQuota = defineChange({
  name: 'set_package_quota',
  needs: 'risk.do',
  input: contract.packageQuotaChange,
  find: (db, key) => refuseUnoffered(db, key),
  // Periods before packages, as tickets lock them.
  locks: (key) => [
    key.period_code === undefined ? lockOfPeriodsToBet(key.product_code) : lockOfPeriods(key.period_code),
    lockOfPackage(key),
    marketQuota(key),
  ],
  load: async ({ tx }, key) => {
    const { product_code, package_code, period_code } = key
    const period = period_code === undefined ? undefined : await findOpenPeriod(tx, product_code, period_code)
    if (!(await hasPackage(tx, key))) throw new Refusal('unknown_package')
    const market = ofMarket(key)
    const scope = { ...market, package_code, period_id: period?.period_id ?? null }
    return {
      scope,
      own: await findQuota(tx, scope),
      standing: await findQuota(tx, { ...market, package_code }),
      hasMarketQuota: (await findQuota(tx, market)) !== undefined,
    }
  },
  decide({ scope, own, standing, hasMarketQuota }, { product_code, package_code, bet_type, period_code, quota }) {
    // In a period null is no raise: the standing one holds again.
    const isMore =
      period_code === undefined
        ? isRaised(own, quota)
        : quota !== null && isRaised(standing, quota) && isRaised(own ?? standing, quota)
    const about = { bet_type, ...(period_code !== undefined && { package_code }) }
    // What ends is shown as an amount that is not there any more.
    const amounts = quota ?? { full_satang: null, half_satang: null }
    return {
      plan: { scope, quota },
      rows: [
        {
          subject: period_code === undefined ? packageSubject(product_code, package_code) : `period:${period_code}`,
          ...(own && { before: { ...about, ...own } }),
          after: { ...about, ...quota },
        },
      ],
      needsTwo: isMore &&
        !hasMarketQuota && { ...standing, package_code, ...(period_code !== undefined && { period_code }) },
      proposal: {
        product_code,
        before: (period_code === undefined ? own : (own ?? standing)) ?? null,
        after: { bet_type, package_code, ...amounts },
      },
    }
  },
  write: ({ tx }, { scope, quota }) => saveQuota(tx, scope, quota),
})

/** Whether the market has the package. */
async function hasPackage(
  tx: Tx,
  { product_code, package_code }: { product_code: string; package_code: string },
): Promise<boolean> {
  const found = await tx
    .selectFrom('packages')
    .select('package_id')
    .where('product_code', '=', product_code)
    .where('package_code', '=', package_code)
    .executeTakeFirst()
  return found !== undefined
}

/** @throws Refusal unknown_period, period_closed */
export async function findOpenPeriod(tx: Tx, product_code: string, period_code: string): Promise<PeriodRecord> {
  const period = await findPeriod(tx, period_code)
  if (period?.product_code !== product_code) throw new Refusal('unknown_period')
  if (period.status !== 'open' && period.status !== 'upcoming') throw new Refusal('period_closed')
  return period
}
