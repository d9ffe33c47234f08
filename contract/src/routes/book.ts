// The book of a period for the console's risk board: by number, and by result. The office and the company see that of the house,
// an agent that of its own line.

import * as z from 'zod/mini'
import { defineRoute } from '../route.ts'
import { periodCode, satang, signedSatang } from '../wire.ts'

const digits = (pattern: RegExp) => z.string().check(z.regex(pattern))

const bookHead = {
  period_code: periodCode,
  /** Rises with every change. A later call with `since` gets what has changed. */
  version: z.int(),
  /** For how long the oldest ticket or event that is not counted yet has waited, in ms; 0: all are counted. */
  age_ms: z.int(),
  /** `open`: not compared yet. `differs`: nothing is paid until somebody has resolved it. */
  seal: z.enum(['open', 'sealed', 'differs']),
  line_count: z.int(),
  received_satang: satang,
  discount_satang: satang,
  /** The part that the caller keeps by its share. */
  own_received_satang: satang,
  /** The caller's part of discounts, and of commissions of the level below; what it gets from above is taken off. */
  own_discount_satang: signedSatang,
} as const

export const readBook = defineRoute({
  name: 'readBook',
  method: 'GET',
  path: '/api/book/:period_code',
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
    /** Whether all numbers with lines are there; else those that have changed since, in place of earlier ones. */
    is_whole: z.boolean(),
    /** Columns: the nth of each belong together. The slot says bet type and number (`betOfSlot`); rolls in ascending order of digits. */
    slots: z.array(z.int()),
    line_counts: z.array(z.int()),
    stakes_satang: z.array(satang),
    payouts_satang: z.array(satang),
    own_stakes_satang: z.array(satang),
    own_payouts_satang: z.array(satang),
    /** The used part of full and half quota together, in hundredths of a percent; -1: no limit, or not the caller's to see. */
    quotas_used: z.array(z.int()),
  }),
})

export const readBookResults = defineRoute({
  name: 'readBookResults',
  price: 'report',
  method: 'GET',
  path: '/api/book/:period_code/results',
  access: 'console',
  needs: 'risk.view',
  summary:
    'What each result of a period would cost, the fifty worst, the worst case, the distribution, and one result to try',
  params: z.strictObject({ period_code: periodCode }),
  query: z.strictObject({
    /** `own`: only the part that the caller keeps. */
    part: z.optional(z.enum(['whole', 'own'])),
    /** A result to try: both, or neither. */
    top3: z.optional(digits(/^[0-9]{3}$/)),
    bottom2: z.optional(digits(/^[0-9]{2}$/)),
    /** Two numbers each. */
    front3: z.optional(digits(/^[0-9]{3},[0-9]{3}$/)),
    back3: z.optional(digits(/^[0-9]{3},[0-9]{3}$/)),
  }),
  reply: z.strictObject({
    ...bookHead,
    /** Received less discounts, of the part that was asked for: what the house has if no bet wins. */
    net_satang: signedSatang,
    /** What each of the 1,000 top and 100 bottom results costs; the index is the result. */
    top_payouts_satang: z.array(satang),
    bottom_payouts_satang: z.array(satang),
    /** The most that front and back numbers can cost, and such numbers. */
    worst_numbers: z.strictObject({ front3: z.array(z.string()), back3: z.array(z.string()), payout_satang: satang }),
    /** The worst fifty, without front and back numbers: what the house wins or, below 0, loses. */
    worst: z.array(z.strictObject({ top3: z.string(), bottom2: z.string(), result_satang: signedSatang })),
    /** The worst top, bottom, front and back results together. */
    worst_case_satang: signedSatang,
    /** The chance that the house loses, in millionths. */
    loss_chance: z.int(),
    /** Of a hundred draws, 99 leave the house no less. */
    percentile_99_satang: signedSatang,
    /** 0: chance and percentile are exact; else they were computed in steps of this size, and err to the worse side. */
    resolution_satang: satang,
    /**
     * What the house wins or, below 0, loses, as a histogram: the nth chance, in millionths, is that of a result of
     * `net_satang` less n to n + 1 times the step. Front and back numbers are in it.
     */
    histogram: z.strictObject({ step_satang: satang, chances: z.array(z.int()) }),
    /** What the house wins or loses by the result to try; null: none was given. */
    tried_satang: z.nullable(signedSatang),
  }),
})
