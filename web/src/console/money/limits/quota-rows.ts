// The quotas of a market as rows: standing, of its packages, of its period, and of its packages in that period.

import type {
  PayloadOf,
  PackageQuota,
  PeriodPackageQuota,
  PeriodQuota,
  QuotaAmounts,
  MarketQuota,
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
  /** Periods that take bets now or next. Other periods are shown only with a quota of their own. */
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

/** A change of one person, or the same as a proposal where two are needed. */
export type QuotaChange = {
  [K in 'set_quota' | 'set_package_quota' | 'set_period_quota']: { kind: K; payload: PayloadOf<K> }
}['set_quota' | 'set_package_quota' | 'set_period_quota']

/** @param quota null: the exception ends; a standing quota cannot be taken away, only raised */
export function toQuotaChange(row: QuotaRow, quota: QuotaAmounts | null): QuotaChange | null {
  const { product_code, bet_type, package_code, period_code } = row
  if (package_code !== null) {
    const ofPeriod = period_code === null ? {} : { period_code }
    return { kind: 'set_package_quota', payload: { product_code, package_code, ...ofPeriod, bet_type, quota } }
  }
  if (period_code !== null) return { kind: 'set_period_quota', payload: { period_code, bet_type, quota } }
  return quota === null ? null : { kind: 'set_quota', payload: { product_code, bet_type, ...quota } }
}

/** Two fields of whole Baht; null: one of them is no amount. */
export function readQuota(full_baht: string, half_baht: string): QuotaAmounts | null {
  const [full_satang, half_satang] = [readWholeBaht(full_baht), readWholeBaht(half_baht)]
  return full_satang === null || half_satang === null ? null : { full_satang, half_satang }
}
