// Exposure of a period for the console's risk board, by number and by result. The office and the company see the
// house's exposure, an agent that of its own downline.

import * as z from 'zod/mini'
import * as calls from '../calls/book.ts'
import { defineRoute } from '../route.ts'
import { periodCode, satang, signedSatang } from '../wire.ts'

const digits = (pattern: RegExp) => z.string().check(z.regex(pattern))

const bookHead = {
  period_code: periodCode,
  /** Increases with every change. Pass it as `since` to get only later changes. */
  version: z.int(),
  /** How long the oldest ticket or event not yet counted has waited, in ms; 0 if all are counted. */
  age_ms: z.int(),
  /** `open`: not reconciled yet. `differs`: nothing is paid until someone resolves the difference. */
  seal: z.enum(['open', 'sealed', 'differs']),
  line_count: z.int(),
  received_satang: satang,
  discount_satang: satang,
  /** The part of the stakes that the caller keeps by its share. */
  own_received_satang: satang,
  /** The caller's part of discounts and of commissions to the level below, less what it gets from above. */
  own_discount_satang: signedSatang,
} as const

export const readBook = defineRoute({
  ...calls.readBook,
  access: 'console',
  needs: 'risk.view',
  summary:
    'The numbers of a period with stake, payout if they come, own part and share of the quota, as columns; with since only what has changed',
  params: z.strictObject({ period_code: periodCode }),
  query: z.strictObject({
    /** The `version` of an earlier reply. */
    since: z.optional(digits(/^\d{1,15}$/)),
  }),
  reply: z.strictObject({
    ...bookHead,
    /**
     * Whether the reply holds all numbers with bets. Otherwise it holds the numbers that changed, which replace earlier
     * ones.
     */
    is_whole: z.boolean(),
    /**
     * Parallel columns. A slot encodes bet type and number (`betOfSlot`); rolls have their digits in ascending order.
     */
    slots: z.array(z.int()),
    line_counts: z.array(z.int()),
    stakes_satang: z.array(satang),
    payouts_satang: z.array(satang),
    own_stakes_satang: z.array(satang),
    own_payouts_satang: z.array(satang),
    /**
     * Used part of full and half quota together, in hundredths of a percent; -1 if unlimited or not visible to the
     * caller.
     */
    quotas_used: z.array(z.int()),
  }),
})

export const readBookResults = defineRoute({
  ...calls.readBookResults,
  price: 'report',
  access: 'console',
  needs: 'risk.view',
  summary:
    'What each result of a period would cost, the fifty worst, the worst case, the distribution, and one result to try',
  params: z.strictObject({ period_code: periodCode }),
  query: z.strictObject({
    /** `own`: only the part that the caller keeps. */
    part: z.optional(z.enum(['whole', 'own'])),
    /** A hypothetical result: both fields or neither. */
    top3: z.optional(digits(/^[0-9]{3}$/)),
    bottom2: z.optional(digits(/^[0-9]{2}$/)),
    /** Two numbers each. */
    front3: z.optional(digits(/^[0-9]{3},[0-9]{3}$/)),
    back3: z.optional(digits(/^[0-9]{3},[0-9]{3}$/)),
  }),
  reply: z.strictObject({
    ...bookHead,
    /** Received less discounts, of the requested part: the profit if no bet wins. */
    net_satang: signedSatang,
    /** The payout of each of the 1,000 top and 100 bottom results, indexed by the result. */
    top_payouts_satang: z.array(satang),
    bottom_payouts_satang: z.array(satang),
    /** The highest possible payout of front and back numbers, and such numbers. */
    worst_numbers: z.strictObject({ front3: z.array(z.string()), back3: z.array(z.string()), payout_satang: satang }),
    /** The fifty worst results, without front and back numbers: the house's profit, or loss if below 0. */
    worst: z.array(z.strictObject({ top3: z.string(), bottom2: z.string(), result_satang: signedSatang })),
    /** The worst top, bottom, front and back results together. */
    worst_case_satang: signedSatang,
    /** Probability that the house loses, in millionths. */
    loss_chance: z.int(),
    /** In 99 of 100 draws the house keeps at least this. */
    percentile_99_satang: signedSatang,
    /**
     * 0: probability and percentile are exact. Otherwise they were computed in steps of this size and err on the side
     * of loss.
     */
    resolution_satang: satang,
    /**
     * Distribution of the house's profit. The nth entry is the probability, in millionths, of a result of `net_satang`
     * less n to n + 1 steps. Includes front and back numbers.
     */
    histogram: z.strictObject({ step_satang: satang, chances: z.array(z.int()) }),
    /** Profit or loss for the hypothetical result; null if none was given. */
    tried_satang: z.nullable(signedSatang),
  }),
})
