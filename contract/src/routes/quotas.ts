// Remaining quotas and limits per number, for number boards and for the office.

import * as z from 'zod/mini'
import * as calls from '../calls/quotas.ts'
import { defineRoute } from '../route.ts'
import { betTypeCode, packageCode, periodCode, productCode, reason, requestId } from '../wire.ts'
import { MAX_CREDIT_SATANG } from './downline.ts'

/** No number accepts more than all credit, and the sum of two quotas stays exact. */
const accepted = z.int().check(z.minimum(0), z.maximum(MAX_CREDIT_SATANG))

export const numberSetting = z.enum(['open', 'half', 'closed'])
export type NumberSetting = z.output<typeof numberSetting>

export const limitNumber = z.strictObject({
  bet_type: betTypeCode,
  /** Rolls have their digits in ascending order and stand for every order of them. */
  number: z.string(),
  /** Yellow: the payout may change or is half. Grey: nothing more is accepted. */
  state: z.enum(['yellow', 'grey']),
  /** Further bets pay half the rate, by a manual setting or because the full quota is used. Such numbers are yellow. */
  pays_half: z.boolean(),
})
export type LimitNumber = z.output<typeof limitNumber>

export const listLimitNumbers = defineRoute({
  ...calls.listLimitNumbers,
  is_specified: true,
  access: 'signed_in',
  summary: 'The numbers of a period that are yellow or grey',
  params: z.strictObject({ period_code: periodCode }),
  /** For tickets of this package, whose quota may be lower than the market's. Omit for the market's alone. */
  query: z.strictObject({ package_code: z.optional(packageCode) }),
  reply: z.array(limitNumber),
})

export const setLimitNumber = defineRoute({
  ...calls.setLimitNumber,
  access: 'office',
  needs: 'risk.do',
  summary: 'Sets a number of a period by hand: open, half pay or closed',
  params: z.strictObject({ period_code: periodCode }),
  body: z.strictObject({
    bet_type: betTypeCode,
    number: z.string().check(z.regex(/^[0-9]{1,3}$/)),
    set_to: numberSetting,
    reason: z.optional(reason),
  }),
  reply: z.null(),
})

export const marketQuota = z.strictObject({
  product_code: productCode,
  bet_type: betTypeCode,
  /** Accepted per number of a period at the full rate. */
  full_satang: accepted,
  /** Accepted at half the rate, once the full quota is used. */
  half_satang: accepted,
})
export type MarketQuota = z.output<typeof marketQuota>

export const setQuota = defineRoute({
  ...calls.setQuota,
  access: 'office',
  needs: 'risk.do',
  summary:
    'Sets how much the house accepts on each number of a bet type of a market. Raising it needs two people (approval_needed), as does a first one above that of a package',
  body: z.strictObject({ ...marketQuota.shape, reason: z.optional(reason) }),
  reply: z.null(),
})

export const openedMarket = z.strictObject({
  product_code: productCode,
  /** One for each bet type of the market. */
  quotas: z.array(z.omit(marketQuota, { product_code: true })).check(z.minLength(1), z.maxLength(20)),
})
export type OpenedMarket = z.output<typeof openedMarket>

export const openMarkets = defineRoute({
  ...calls.openMarkets,
  access: 'office',
  needs: 'periods.do',
  price: 'report',
  body_bytes: 128 * 1024,
  summary:
    'Sets a quota for every bet type of several markets and switches them on, all or none. Needs the permission for risk as well',
  body: z.strictObject({
    request_id: requestId,
    markets: z.array(openedMarket).check(z.minLength(1), z.maxLength(100)),
    reason,
  }),
  reply: z.null(),
})

export const listQuotas = defineRoute({
  ...calls.listQuotas,
  access: 'office',
  needs: 'risk.view',
  summary: 'The quotas of all markets; bet types not listed have no limit',
  reply: z.array(marketQuota),
})

/** Amounts accepted per number of a bet type. */
export const quotaAmounts = z.strictObject({ full_satang: accepted, half_satang: accepted })
export type QuotaAmounts = z.output<typeof quotaAmounts>

export const periodQuota = z.strictObject({ period_code: periodCode, ...marketQuota.shape })
export type PeriodQuota = z.output<typeof periodQuota>

export const packageQuota = z.strictObject({ package_code: packageCode, ...marketQuota.shape })
export type PackageQuota = z.output<typeof packageQuota>

export const periodPackageQuota = z.strictObject({ period_code: periodCode, ...packageQuota.shape })
export type PeriodPackageQuota = z.output<typeof periodPackageQuota>

export const listQuotaExceptions = defineRoute({
  ...calls.listQuotaExceptions,
  access: 'office',
  needs: 'risk.view',
  summary:
    'Quotas of packages, of single periods that take bets now or later, and of packages in such periods, in all markets or in one',
  query: z.strictObject({ product_code: z.optional(productCode) }),
  reply: z.strictObject({
    packages: z.array(packageQuota),
    periods: z.array(periodQuota),
    period_packages: z.array(periodPackageQuota),
  }),
})

export const periodQuotaChange = z.strictObject({
  period_code: periodCode,
  bet_type: betTypeCode,
  /** Null to apply the standing quota again. */
  quota: z.nullable(quotaAmounts),
})

export const packageQuotaChange = z.strictObject({
  product_code: productCode,
  package_code: packageCode,
  /** Only for this period, in place of the package's standing quota. */
  period_code: z.optional(periodCode),
  bet_type: betTypeCode,
  /** Null to remove it. A period then falls back to the package's standing quota, a package to the market's. */
  quota: z.nullable(quotaAmounts),
})

export const setPeriodQuota = defineRoute({
  ...calls.setPeriodQuota,
  access: 'office',
  needs: 'risk.do',
  summary:
    'Sets a quota for one period in place of the standing one, or, with null, ends it. More than the standing quota needs two people (approval_needed)',
  body: z.strictObject({ ...periodQuotaChange.shape, reason }),
  reply: z.null(),
})

export const setPackageQuota = defineRoute({
  ...calls.setPackageQuota,
  access: 'office',
  needs: 'risk.do',
  summary:
    'Sets a quota for the tickets of a package, or, with null, ends it: they are accepted until a number has that much from all packages. With a period it holds there alone, in place of the standing one. The quota of the market or period holds besides; where the market has none, more than before needs two people (approval_needed)',
  body: z.strictObject({ ...packageQuotaChange.shape, reason }),
  reply: z.null(),
})
