// Sets the quotas of several markets and switches them on, as a new house does.

import * as contract from '@megalot/contract'
import type { MarketQuota, OpenedMarket } from '@megalot/contract'
import * as z from 'zod/mini'
import { type At, type AuditRow, defineChange } from '../../changes/index.ts'
import { Refusal } from '../../lib/refusal.ts'
import {
  findProductTimetables,
  getProduct,
  lockOfPeriodsToBet,
  marketLocks,
  type ProductTimetables,
  switchOn,
} from '../index.ts'
import { isAbovePackage, isRaised, marketQuota, ofMarket } from './quota-changes.ts'
import { listQuotas, saveQuota } from './quota-settings.store.ts'

const quotasOf = ({ product_code, quotas }: OpenedMarket): MarketQuota[] =>
  quotas.map((quota) => ({ product_code, ...quota }))

interface MarketToOpen {
  product_code: string
  market: ProductTimetables
  /** New and changed quotas only. */
  quotas: MarketQuota[]
  rows: AuditRow[]
}

/**
 * Sets a quota for every bet type of each market and switches the market on, all or none. As with `setQuota`, raising a
 * quota, or a first quota above a package's, needs two people.
 * @throws Refusal permission_missing (no permission for risk), unknown_product, market_needs_quotas, bet_type_not_offered,
 * approval_needed
 */
export const openMarkets = defineChange({
  name: 'open_markets',
  needs: 'periods.do',
  input: z.omit(contract.openMarkets.body, { request_id: true, reason: true }),
  locks: ({ markets }) => [
    ...markets.flatMap(({ product_code }) => marketLocks(product_code)),
    lockOfPeriodsToBet(...markets.map(({ product_code }) => product_code).toSorted()),
    ...markets.flatMap(quotasOf).map(marketQuota),
  ],
  async load(at, { markets }) {
    const loaded: MarketToOpen[] = []
    for (const market of markets) loaded.push(await loadMarket(at, market))
    return loaded
  },
  decide(markets, _input, { caller }) {
    if (!caller.permissions.has('risk.do')) throw new Refusal('permission_missing', { field: 'quotas' })
    return { plan: markets, rows: markets.flatMap(({ rows }) => rows) }
  },
  async write({ tx }, markets) {
    for (const { product_code, market, quotas } of markets) {
      for (const quota of quotas) await saveQuota(tx, ofMarket(quota), quota)
      if (!market.is_enabled) await switchOn(tx, product_code, market)
    }
  },
})

async function loadMarket({ tx }: At, given: OpenedMarket): Promise<MarketToOpen> {
  const { product_code } = given
  const market = await findProductTimetables(tx, product_code)
  if (!market) throw new Refusal('unknown_product')
  const { bet_types: offered } = await getProduct(tx, product_code)
  const named = new Set(given.quotas.map(({ bet_type }) => bet_type))
  if (given.quotas.some(({ bet_type }) => !offered.includes(bet_type))) throw new Refusal('bet_type_not_offered')
  const missing = offered.filter((bet_type) => !named.has(bet_type))
  if (missing.length > 0) throw new Refusal('market_needs_quotas', { product_code, bet_types: missing })
  const set = await listQuotas(tx, product_code)
  const quotas: MarketQuota[] = []
  const rows: AuditRow[] = []
  for (const quota of quotasOf(given)) {
    const before = set.markets.find(({ bet_type }) => bet_type === quota.bet_type)
    if (before ? isRaised(before, quota) : isAbovePackage(set, quota))
      throw new Refusal('approval_needed', { kind: 'set_quota', ...quota })
    if (before?.full_satang === quota.full_satang && before.half_satang === quota.half_satang) continue
    quotas.push(quota)
    rows.push({
      ...{ action: 'set_quota', subject: `product:${product_code}` },
      ...(before && { before }),
      after: quota,
    })
  }
  if (!market.is_enabled)
    rows.push({
      ...{ action: 'switch_product', subject: `product:${product_code}` },
      before: { is_enabled: false },
      after: { is_enabled: true },
    })
  return { product_code, market, quotas, rows }
}
