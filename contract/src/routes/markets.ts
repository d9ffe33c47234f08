// Markets (products), their periods, and the packages ("reward rates") a user may bet with.

import { resultForms } from '@megalot/rules'
import * as z from 'zod/mini'
import * as calls from '../calls/markets.ts'
import { defineRoute } from '../route.ts'
import { maintenance } from './maintenance.ts'
import {
  betTypeCode,
  betTypeTerms,
  day,
  instant,
  packageCode,
  pageNumber,
  pathId,
  period,
  periodCode,
  productCode,
  queryNumber,
  reason,
} from '../wire.ts'

export const productGroup = z.enum(['government', 'lao', 'hanoi', 'malay', 'stock', 'yeekee'])

/** When members may cancel confirmed tickets (`CancelRules` of the rules). */
export const cancelRules = z.strictObject({
  window_minutes: z.int().check(z.minimum(0), z.maximum(1_440)),
  max_tickets: z.int().check(z.minimum(0), z.maximum(1_000)),
  before_close_minutes: z.int().check(z.minimum(0), z.maximum(1_440)),
})

export const product = z.strictObject({
  product_code: productCode,
  name_th: z.string(),
  name_en: z.string(),
  group_code: productGroup,
  /** ISO 3166 alpha-2, lower case, for the flag. */
  country_code: z.string(),
  /** The market's bet types, in the order screens list them. */
  bet_types: z.array(betTypeCode),
  /** What the market publishes as its result. */
  result_form: z.enum(resultForms),
  is_enabled: z.boolean(),
  cancel_rules: cancelRules,
})
export type Product = z.output<typeof product>
export type ProductGroup = z.output<typeof productGroup>

export const listProducts = defineRoute({
  ...calls.listProducts,
  is_specified: true,
  access: 'signed_in',
  summary: 'The market catalogue',
  reply: z.array(product),
})

export const listEnabledProducts = defineRoute({
  ...calls.listEnabledProducts,
  is_specified: true,
  access: 'signed_in',
  summary: 'The markets that are switched on',
  reply: z.array(product),
})

export const listAvailableProducts = defineRoute({
  ...calls.listAvailableProducts,
  is_specified: true,
  access: 'signed_in',
  summary: 'The markets that are switched on and of which the caller has a package, open at the moment or not',
  reply: z.array(product),
})

export const productPeriod = z.strictObject({
  ...product.shape,
  /** False if the user has no package of this market and should see "contact your agent". */
  has_package: z.boolean(),
  /** Message to members while the market is in maintenance and accepts no tickets; null otherwise. */
  maintenance: z.nullable(maintenance),
  /** The open period, otherwise the next one to open, otherwise null. */
  current_period: z.nullable(period),
})
export type ProductPeriod = z.output<typeof productPeriod>

export const listProductPeriod = defineRoute({
  ...calls.listProductPeriod,
  is_specified: true,
  access: 'signed_in',
  summary:
    'Every market with its current or next period: the lotto list. It marks markets that are switched off or in maintenance',
  reply: z.strictObject({ now: instant, products: z.array(productPeriod) }),
})

export const listPeriods = defineRoute({
  ...calls.listPeriods,
  is_specified: true,
  access: 'signed_in',
  summary: 'Periods of one market or of all that have opened, newest first, the last 2,000 at most',
  query: z.strictObject({
    product_code: z.optional(productCode),
    page: z.optional(pageNumber),
    ipp: z.optional(queryNumber),
  }),
  reply: z.strictObject({ now: instant, periods: z.array(period) }),
})

export const getPeriod = defineRoute({
  ...calls.getPeriod,
  is_specified: true,
  access: 'signed_in',
  summary: 'One period',
  params: z.strictObject({ product_code: productCode, period_code: periodCode }),
  reply: z.strictObject({ now: instant, period }),
})

export const packageSummary = z.strictObject({ package_code: packageCode, name: z.string() })

export const listPackages = defineRoute({
  ...calls.listPackages,
  is_specified: true,
  access: 'signed_in',
  summary: 'The packages of a market that the user may bet with; none means "contact your agent"',
  params: z.strictObject({ product_code: productCode }),
  reply: z.array(packageSummary),
})

export const gameConfig = z.strictObject({
  product_code: productCode,
  package_code: packageCode,
  /** The most items in a ticket. */
  max_items: z.int(),
  /** One row per bet type of the market, in the market's order. */
  bet_types: z.array(betTypeTerms),
})
export type GameConfig = z.output<typeof gameConfig>

export const getGameConfig = defineRoute({
  ...calls.getGameConfig,
  is_specified: true,
  access: 'signed_in',
  summary: 'Rates, discounts and stake limits of one package',
  params: z.strictObject({ product_code: productCode, package_code: packageCode }),
  reply: gameConfig,
})

export const packageRecord = z.strictObject({
  product_code: productCode,
  ...packageSummary.shape,
  /** The most items in a ticket. */
  max_items: z.int(),
})
export type Package = z.output<typeof packageRecord>

export const listAllPackages = defineRoute({
  ...calls.listAllPackages,
  is_specified: true,
  access: 'company',
  needs: 'terms.view',
  summary: 'All packages of all markets',
  reply: z.array(packageRecord),
})

export const listGameConfigs = defineRoute({
  ...calls.listGameConfigs,
  is_specified: true,
  access: 'company',
  needs: 'terms.view',
  summary: 'Rates, discounts and stake limits of every package of every market',
  reply: z.array(gameConfig),
})

/** Whole Baht, in satang. */
const stakeLimit = z.int().check(z.minimum(100), z.maximum(1_000_000_000_000), z.multipleOf(100))

export const termsChange = z.strictObject({
  bet_type: betTypeCode,
  rate: z.optional(z.int().check(z.minimum(0), z.maximum(10_000_000))),
  discount_rate: z.optional(z.int().check(z.minimum(0), z.maximum(10_000))),
  min_satang: z.optional(stakeLimit),
  max_satang: z.optional(stakeLimit),
  max_per_number_satang: z.optional(stakeLimit),
  is_on: z.optional(z.boolean()),
})
export type TermsChange = z.output<typeof termsChange>

export const packageParams = z.strictObject({ product_code: productCode, package_code: packageCode })

export const theoreticalReturn = z.strictObject({
  bet_type: betTypeCode,
  /** In hundredths. */
  rate: z.int(),
  /** In hundredths of a percent. */
  discount_rate: z.int(),
  is_on: z.boolean(),
  /** A number's odds: it wins in `wins` of `draws` draws. For the number with the best odds. */
  wins: z.int(),
  draws: z.int(),
  /** P(win) × rate + discount, in hundredths of a percent of the stake. */
  return_rate: z.int(),
  /** The same for a number at half pay. */
  half_return_rate: z.int(),
  /** Who may set such terms: one person `alone`, two people (`approved`), or nobody (`refused`). */
  bound: z.enum(['alone', 'approved', 'refused']),
})
export type TheoreticalReturn = z.output<typeof theoreticalReturn>

export const listTheoreticalReturns = defineRoute({
  ...calls.listTheoreticalReturns,
  access: 'office',
  needs: 'terms.view',
  summary: 'What the terms of a package return to members on average, for each bet type',
  params: packageParams,
  reply: z.array(theoreticalReturn),
})

/** Changed terms of a package. Omitted fields stay as they are. */
export const newTerms = z.strictObject({
  max_items: z.optional(z.int().check(z.minimum(1), z.maximum(2_000))),
  bet_types: z.optional(z.array(termsChange).check(z.minLength(1), z.maxLength(20))),
})

export const changeGameConfig = defineRoute({
  ...calls.changeGameConfig,
  access: 'office',
  needs: 'terms.do',
  summary:
    'Changes terms of a package for tickets from now on; terms that are not named and existing tickets stay unchanged. A theoretical return above 100 % needs two people (approval_needed), one above 120 % is refused',
  params: packageParams,
  body: z.strictObject({ reason, ...newTerms.shape }),
  reply: gameConfig,
})
export type GameConfigChange = z.output<typeof changeGameConfig.body>

export const changeCancelRules = defineRoute({
  ...calls.changeCancelRules,
  access: 'office',
  needs: 'periods.do',
  summary:
    'Changes when members of a market may cancel tickets, existing ones too; rules that are not named stay unchanged',
  params: z.strictObject({ product_code: productCode }),
  body: z.strictObject({ reason, ...z.partial(cancelRules).shape }),
  reply: product,
})
export type CancelRulesChange = z.output<typeof changeCancelRules.body>

export const switchProduct = defineRoute({
  ...calls.switchProduct,
  access: 'office',
  needs: 'periods.do',
  summary: 'Switches a market on or off: while it is off it accepts no new tickets; existing ones are settled as usual',
  params: z.strictObject({ product_code: productCode }),
  body: z.strictObject({ is_enabled: z.boolean(), reason }),
  reply: product,
})

export const namedPackage = z.strictObject({ product_code: productCode, package_code: packageCode })
export type NamedPackage = z.output<typeof namedPackage>

export const userPackage = z.strictObject({ ...namedPackage.shape, name: z.string() })
export type UserPackage = z.output<typeof userPackage>

export const listUserPackages = defineRoute({
  ...calls.listUserPackages,
  access: 'signed_in',
  needs: 'terms.view',
  summary: 'The packages of all markets that a user has been given, for itself, its uplines and the office',
  params: z.strictObject({ user_id: pathId }),
  reply: z.array(userPackage),
})

export const namedPackages = z.array(namedPackage).check(z.minLength(1), z.maxLength(200))

export const userPackagesChange = z.strictObject({
  /** The user's packages after the change. */
  packages: z.array(userPackage),
  is_changed: z.boolean(),
  /** How many users below have gained or lost a package. */
  below_count: z.int(),
})
export type UserPackagesChange = z.output<typeof userPackagesChange>

export const givePackages = defineRoute({
  ...calls.givePackages,
  body_bytes: 128 * 1024,
  price: 'report',
  access: 'console',
  needs: 'terms.do',
  summary:
    'Gives packages to a user, by any of its uplines or the office; what it has already stays, and nobody is given what its parent has not',
  params: z.strictObject({ user_id: pathId }),
  body: z.strictObject({
    packages: namedPackages,
    /** Also applies to all users below. */
    includes_below: z.optional(z.boolean()),
    reason,
  }),
  reply: userPackagesChange,
})

export const takePackages = defineRoute({
  ...calls.takePackages,
  body_bytes: 128 * 1024,
  price: 'report',
  access: 'console',
  needs: 'terms.do',
  summary:
    'Takes packages from a user and everybody below it, by any of its uplines or the office; existing tickets keep their terms',
  params: z.strictObject({ user_id: pathId }),
  body: z.strictObject({ packages: namedPackages, reason }),
  reply: userPackagesChange,
})

/** A period outside the timetable, with a future draw. Needs two people (`create_period` of approvals). */
export const newPeriod = z.strictObject({
  product_code: productCode,
  period_date: day,
  round: z.optional(z.int().check(z.minimum(1), z.maximum(999))),
  /** Between now and the close. Omit to open it when it is created. */
  open_at: z.optional(z.iso.datetime({ offset: true })),
  close_at: z.iso.datetime({ offset: true }),
  draw_at: z.iso.datetime({ offset: true }),
})
export type NewPeriod = z.output<typeof newPeriod>

export const closePeriod = defineRoute({
  ...calls.closePeriod,
  access: 'office',
  needs: 'periods.do',
  summary: 'Closes an open period now, ahead of its time',
  params: z.strictObject({ period_code: periodCode }),
  body: z.strictObject({ reason }),
  reply: period,
})
