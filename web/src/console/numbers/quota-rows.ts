// The quotas of a market as rows: standing, of its packages, and of its period.

import type {
  BodyOf,
  PackageQuota,
  PeriodQuota,
  QuotaAmounts,
  QuotaSetting,
  setPackageQuota,
  setPeriodQuota,
} from '@megalot/contract'
import type { BetTypeCode } from '@megalot/rules'
import { readWholeBaht } from './rule-draft.ts'

export interface KnownQuotas {
  standing: readonly QuotaSetting[]
  packages: readonly PackageQuota[]
  periods: readonly PeriodQuota[]
}

export interface QuotaRow {
  product_code: string
  bet_type: BetTypeCode
  scope: 'market' | 'package' | 'period'
  /** Of the package, or of the period; null for the market. */
  code: string | null
  /** Null: no limit, or none of its own. */
  quota: QuotaAmounts | null
}

export const keyOfRow = ({ bet_type, scope, code }: QuotaRow): string => `${bet_type} ${scope} ${code ?? ''}`

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
  const ownPeriods = known.periods.filter((one) => one.product_code === product_code).map((one) => one.period_code)
  const period_codes = [...new Set([...market.period_codes, ...ownPeriods])]
  return bet_types.flatMap((bet_type): QuotaRow[] => {
    const isOwn = (one: QuotaSetting): boolean => one.product_code === product_code && one.bet_type === bet_type
    return [
      { product_code, bet_type, scope: 'market', code: null, quota: amountsOf(known.standing.find(isOwn)) },
      ...package_codes.map((code): QuotaRow => {
        const found = known.packages.find((one) => isOwn(one) && one.package_code === code)
        return { product_code, bet_type, scope: 'package', code, quota: amountsOf(found) }
      }),
      ...period_codes.map((code): QuotaRow => {
        const found = known.periods.find((one) => isOwn(one) && one.period_code === code)
        return { product_code, bet_type, scope: 'period', code, quota: amountsOf(found) }
      }),
    ]
  })
}

function amountsOf(found: QuotaAmounts | undefined): QuotaAmounts | null {
  return found === undefined ? null : { full_satang: found.full_satang, half_satang: found.half_satang }
}

/** A change as it is sent, without its reason. */
export type QuotaChange =
  | { scope: 'market'; body: QuotaSetting }
  | { scope: 'package'; body: Omit<BodyOf<typeof setPackageQuota>, 'reason'> }
  | { scope: 'period'; body: Omit<BodyOf<typeof setPeriodQuota>, 'reason'> }

/** @param quota null: the exception ends; a standing quota cannot be taken away, only raised */
export function toQuotaChange(
  { product_code, bet_type, scope, code }: QuotaRow,
  quota: QuotaAmounts | null,
): QuotaChange | null {
  if (scope === 'market') return quota === null ? null : { scope, body: { product_code, bet_type, ...quota } }
  return scope === 'package'
    ? { scope, body: { product_code, package_code: code!, bet_type, quota } }
    : { scope, body: { period_code: code!, bet_type, quota } }
}

/** What is proposed to a second person where one alone may not; a package's quota never needs one. */
export function payloadOf(
  change: QuotaChange,
  { product_code }: QuotaRow,
): (QuotaSetting & { period_code?: string }) | null {
  if (change.scope === 'market') return change.body
  if (change.scope === 'package' || change.body.quota === null) return null
  const { period_code, bet_type, quota } = change.body
  return { product_code, bet_type, ...quota, period_code }
}

/** Two fields of whole Baht; null: one of them is no amount. */
export function readQuota(full_baht: string, half_baht: string): QuotaAmounts | null {
  const [full_satang, half_satang] = [readWholeBaht(full_baht), readWholeBaht(half_baht)]
  return full_satang === null || half_satang === null ? null : { full_satang, half_satang }
}
