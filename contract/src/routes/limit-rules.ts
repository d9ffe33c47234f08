// Limit rules that the office sets in one step for many numbers, bet types and markets, for single periods or standing.

import * as z from 'zod/mini'
import * as calls from '../calls/limit-rules.ts'
import { defineRoute } from '../route.ts'
import { betTypeCode, day, instant, pathId, periodCode, productCode, reason, requestId, satang } from '../wire.ts'
import { quotaAmounts } from './quotas.ts'
import { MAX_RULE_NUMBERS } from '../limits.ts'

/** The most markets or periods in a rule. */
export const MAX_RULE_TARGETS = 60
/** The most rows in a rule: numbers × bet types × markets or periods. */
export const MAX_RULE_ROWS = 20_000

export const ruleSetting = z.enum(['open', 'half', 'closed', 'amount'])
export type RuleSetting = z.output<typeof ruleSetting>

/** The limit of a number. Amounts are null except for `amount`, which sets a limit below the market's quota. */
export const numberValue = z.strictObject({
  set_to: ruleSetting,
  /** Accepted at the full rate. */
  full_satang: z.nullable(quotaAmounts.shape.full_satang),
  /** Accepted at half the rate, once the full quota is used. */
  half_satang: z.nullable(quotaAmounts.shape.half_satang),
})
export type NumberValue = z.output<typeof numberValue>

/** Either single periods, or all periods of markets until a last day. */
export const ruleTarget = z.union([
  z.strictObject({ period_codes: z.array(periodCode).check(z.minLength(1), z.maxLength(MAX_RULE_TARGETS)) }),
  z.strictObject({
    product_codes: z.array(productCode).check(z.minLength(1), z.maxLength(MAX_RULE_TARGETS)),
    /** The last day of the periods; null for no end. */
    until_date: z.nullable(day),
  }),
])
export type RuleTarget = z.output<typeof ruleTarget>

/**
 * `set`: it changes. `unchanged`: it is already set to this value. `not_offered`: the market lacks the bet type, so it
 * is skipped. `exception`: every open period of the market has its own rule for the number, which takes precedence.
 */
export const ruleOutcome = z.enum(['set', 'unchanged', 'not_offered', 'exception'])
export type RuleOutcome = z.output<typeof ruleOutcome>

export const limitRuleRow = z.strictObject({
  product_code: productCode,
  /** Null for a standing rule. */
  period_code: z.nullable(periodCode),
  bet_type: betTypeCode,
  /** Rolls have their digits in ascending order. */
  number: z.string(),
  outcome: ruleOutcome,
  /** The period's or the market's current limit. */
  before: numberValue,
  /** Accepted so far; for a standing rule, in the period that has accepted most. */
  accepted_satang: satang,
  /** How many periods keep their own setting. */
  exception_count: z.int(),
})
export type LimitRuleRow = z.output<typeof limitRuleRow>

export const limitRuleResult = z.strictObject({
  /** Null for a preview. */
  rule_id: z.nullable(z.int()),
  rows: z.array(limitRuleRow),
  /** Numbers that were given more than once. */
  doubled: z.array(z.string()),
  /** How many periods accept bets now or later under the rule. */
  period_count: z.int(),
  /**
   * Live tickets of these periods with a bet on one of the numbers; they keep their terms. Null except for a preview.
   */
  ticket_count: z.nullable(z.int()),
})
export type LimitRuleResult = z.output<typeof limitRuleResult>

export const setLimitRule = defineRoute({
  ...calls.setLimitRule,
  body_bytes: 256 * 1024,
  access: 'office',
  needs: 'risk.do',
  summary:
    'Sets numbers of bet types together, in periods or standing in markets: open, half pay, closed or an amount below the quota. One transaction; sent again with its request_id it returns the same result',
  body: z.strictObject({
    request_id: requestId,
    /** Returns the same outcome without writing anything. */
    preview: z.optional(z.boolean()),
    target: ruleTarget,
    bet_types: z.array(betTypeCode).check(z.minLength(1), z.maxLength(9)),
    numbers: z.array(z.string().check(z.regex(/^[0-9]{1,3}$/))).check(z.minLength(1), z.maxLength(MAX_RULE_NUMBERS)),
    value: numberValue,
    reason,
  }),
  reply: limitRuleResult,
})

/** `restored`: the limit below the rule applies again. `kept`: a later rule still applies. */
export const undoOutcome = z.enum(['restored', 'kept'])

export const undoneRow = z.strictObject({
  product_code: productCode,
  period_code: z.nullable(periodCode),
  bet_type: betTypeCode,
  number: z.string(),
  outcome: undoOutcome,
  /** The limit after the undo. */
  after: numberValue,
})
export type UndoneRow = z.output<typeof undoneRow>

export const undoResult = z.strictObject({ rows: z.array(undoneRow), period_count: z.int() })
export type UndoResult = z.output<typeof undoResult>

export const undoLimitRule = defineRoute({
  ...calls.undoLimitRule,
  access: 'office',
  needs: 'risk.do',
  summary:
    'Takes a rule back: what stood before holds again, except where a later rule has set a number. Periods that have closed keep what they had',
  params: z.strictObject({ rule_id: pathId }),
  body: z.strictObject({ request_id: requestId, preview: z.optional(z.boolean()), reason }),
  reply: undoResult,
})

const person = z.strictObject({ user_id: z.int(), username: z.string(), display_name: z.string() })

export const limitRule = z.strictObject({
  rule_id: z.int(),
  set_at: instant,
  set_by: person,
  value: numberValue,
  is_standing: z.boolean(),
  until_date: z.nullable(day),
  reason: z.nullable(z.string()),
  product_codes: z.array(productCode),
  /** Empty for a standing rule. */
  period_codes: z.array(periodCode),
  /** Each bet type with its numbers, in order. */
  numbers: z.array(z.strictObject({ bet_type: betTypeCode, numbers: z.array(z.string()) })),
  undone_at: z.nullable(instant),
  undone_by: z.nullable(person),
  undo_reason: z.nullable(z.string()),
})
export type LimitRule = z.output<typeof limitRule>

export const listLimitRules = defineRoute({
  ...calls.listLimitRules,
  access: 'office',
  needs: 'risk.view',
  summary: 'The last 50 limit rules, newest first, including undone ones; with `before`, earlier ones',
  query: z.strictObject({ before: z.optional(pathId) }),
  reply: z.array(limitRule),
})

export const standingNumber = z.strictObject({
  product_code: productCode,
  bet_type: betTypeCode,
  number: z.string(),
  value: numberValue,
  until_date: z.nullable(day),
  rule_id: z.int(),
})
export type StandingNumber = z.output<typeof standingNumber>

export const listStandingNumbers = defineRoute({
  ...calls.listStandingNumbers,
  access: 'office',
  needs: 'risk.view',
  summary: 'The numbers that standing rules set in the next period of their markets',
  query: z.strictObject({ product_code: z.optional(productCode) }),
  reply: z.array(standingNumber),
})
