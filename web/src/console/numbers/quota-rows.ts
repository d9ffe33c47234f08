// The quotas of a market as rows: standing, of its packages, of its period, and of its packages in that period.

import type {
  BodyOf,
  PayloadOf,
  PackageQuota,
  PeriodPackageQuota,
  PeriodQuota,
  QuotaAmounts,
  MarketQuota,
  setPackageQuota,
  setPeriodQuota,
} from '@megalot/contract'
import type { BetTypeCode } from '@megalot/rules'
import { readWholeBaht } from './rule-draft.ts'

export interface KnownQuotas {
  standing: readonly MarketQuota[]
  packages: readonly PackageQuota[]
  periods: readonly PeriodQuota[]
  period_packages: readonly PeriodPackageQuota[]
}

export interface QuotaRow {
  product_code: string
  bet_type: BetTypeCode
  /** The market, or a package, a period, or a package in a period. */
  scope: 'market' | 'package' | 'period' | 'period_package'
  /** Null: all packages. */
  package_code: string | null
  /** Null: every period. */
  period_code: string | null
  /** Null: no limit, or none of its own. */
  quota: QuotaAmounts | null
}

export const keyOfRow = ({ bet_type, scope, package_code, period_code }: QuotaRow): string =>
  [bet_type, scope, package_code, period_code].filter((part) => part !== null).join(' ')

interface MarketOfQuotas {
  product_code: string
  bet_types: readonly BetTypeCode[]
  package_codes: readonly string[]
  /** Those that take bets now or next; of others only those that have a quota of their own are shown. */
  period_codes: readonly string[]
}

/** Every quota that a market has or may have, in the order of its bet types. */
export function listQuotaRows(market: MarketOfQuotas, known: KnownQuotas): QuotaRow[] {
  const { product_code, bet_types, package_codes } = market
  const ownPeriods = [...known.periods, ...known.period_packages]
    .filter((one) => one.product_code === product_code)
    .map((one) => one.period_code)
  const period_codes = [...new Set([...market.period_codes, ...ownPeriods])]
  return bet_types.flatMap((bet_type): QuotaRow[] => {
    const isOwn = (one: MarketQuota): boolean => one.product_code === product_code && one.bet_type === bet_type
    const of = { product_code, bet_type, package_code: null, period_code: null }
    return [
      { ...of, scope: 'market', quota: amountsOf(known.standing.find(isOwn)) },
      ...package_codes.map((package_code): QuotaRow => {
        const found = known.packages.find((one) => isOwn(one) && one.package_code === package_code)
        return { ...of, scope: 'package', package_code, quota: amountsOf(found) }
      }),
      ...period_codes.flatMap((period_code): QuotaRow[] => {
        const isHere = (one: PeriodQuota): boolean => isOwn(one) && one.period_code === period_code
        return [
          { ...of, scope: 'period', period_code, quota: amountsOf(known.periods.find(isHere)) },
          ...package_codes.map((package_code): QuotaRow => {
            const found = known.period_packages.find((one) => isHere(one) && one.package_code === package_code)
            return { ...of, scope: 'period_package', package_code, period_code, quota: amountsOf(found) }
          }),
        ]
      }),
    ]
  })
}

function amountsOf(found: QuotaAmounts | undefined): QuotaAmounts | null {
  return found === undefined ? null : { full_satang: found.full_satang, half_satang: found.half_satang }
}

/** A change as it is sent, without its reason. */
export type QuotaChange =
  | { scope: 'market'; body: MarketQuota }
  | { scope: 'package'; body: Omit<BodyOf<typeof setPackageQuota>, 'reason'> }
  | { scope: 'period'; body: Omit<BodyOf<typeof setPeriodQuota>, 'reason'> }

/** @param quota null: the exception ends; a standing quota cannot be taken away, only raised */
export function toQuotaChange(row: QuotaRow, quota: QuotaAmounts | null): QuotaChange | null {
  const { product_code, bet_type, package_code, period_code } = row
  if (package_code !== null) {
    const ofPeriod = period_code === null ? {} : { period_code }
    return { scope: 'package', body: { product_code, package_code, ...ofPeriod, bet_type, quota } }
  }
  if (period_code !== null) return { scope: 'period', body: { period_code, bet_type, quota } }
  return quota === null ? null : { scope: 'market', body: { product_code, bet_type, ...quota } }
}

/** What is proposed to a second person where one alone may not; null: one person may always do it. */
export function payloadOf(change: QuotaChange, { product_code }: QuotaRow): PayloadOf<'raise_quota'> | null {
  if (change.scope === 'market') return change.body
  if (change.scope === 'package') {
    const { quota, period_code, ...place } = change.body
    if (quota !== null) return { ...place, ...quota, ...(period_code === undefined ? {} : { period_code }) }
    return period_code === undefined ? { ...place, quota } : null
  }
  if (change.body.quota === null) return null
  const { period_code, bet_type, quota } = change.body
  return { product_code, bet_type, ...quota, period_code }
}

/** Two fields of whole Baht; null: one of them is no amount. */
export function readQuota(full_baht: string, half_baht: string): QuotaAmounts | null {
  const [full_satang, half_satang] = [readWholeBaht(full_baht), readWholeBaht(half_baht)]
  return full_satang === null || half_satang === null ? null : { full_satang, half_satang }
}
