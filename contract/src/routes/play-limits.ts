// Limits that members set on their own play: stake, loss, breaks, and self-exclusion.

import * as z from 'zod/mini'
import * as calls from '../calls/play-limits.ts'
import { defineRoute } from '../route.ts'
import { instant, satang, signedSatang } from '../wire.ts'

export const playLimitKind = z.enum(['stake', 'loss'])
export const playSpan = z.enum(['day', 'week', 'month'])
export type PlayLimitKind = z.output<typeof playLimitKind>
export type PlaySpan = z.output<typeof playSpan>

export const playLimit = z.strictObject({
  kind: playLimitKind,
  span: playSpan,
  /** Null for no limit. */
  amount_satang: z.nullable(satang),
  /** A requested looser limit, and when it takes effect. */
  next: z.nullable(z.strictObject({ amount_satang: z.nullable(satang), from_at: instant })),
  /**
   * Staked or lost in the current day, week (from Monday) or month, in Bangkok. A loss is negative if the member has
   * won.
   */
  used_satang: signedSatang,
})
export type PlayLimit = z.output<typeof playLimit>

export const playBreak = z.strictObject({ kind: z.enum(['time_out', 'self_exclusion']), until_at: instant })
export type PlayBreak = z.output<typeof playBreak>

export const playLimits = z.strictObject({
  /** One per kind and span. */
  limits: z.array(playLimit),
  /** No ticket is accepted until then; null for no break. */
  break: z.nullable(playBreak),
})
export type PlayLimits = z.output<typeof playLimits>

export const getPlayLimits = defineRoute({
  ...calls.getPlayLimits,
  access: 'member',
  summary: "The caller's own limits and their use",
  reply: playLimits,
})

/** Whole Baht, in satang; far below amounts at which sums lose precision. */
const limitAmount = z.int().check(z.minimum(0), z.maximum(1_000_000_000_000), z.multipleOf(100))

export const setPlayLimit = defineRoute({
  ...calls.setPlayLimit,
  access: 'member',
  summary: 'Sets one of the own limits: a stricter one holds at once, a looser one, or none, a day later',
  body: z.strictObject({ kind: playLimitKind, span: playSpan, amount_satang: z.nullable(limitAmount) }),
  reply: playLimits,
})

/** In days. */
export const TIME_OUT_DAYS = { least: 1, most: 42 } as const
export const SELF_EXCLUSION_DAYS = { least: 180, most: 1_825 } as const

export const takeBreak = defineRoute({
  ...calls.takeBreak,
  access: 'member',
  summary: 'Takes a break from betting for a number of days; it can be made longer and never shorter',
  body: z.union([
    z.strictObject({
      kind: z.literal('time_out'),
      days: z.int().check(z.minimum(TIME_OUT_DAYS.least), z.maximum(TIME_OUT_DAYS.most)),
    }),
    z.strictObject({
      kind: z.literal('self_exclusion'),
      days: z.int().check(z.minimum(SELF_EXCLUSION_DAYS.least), z.maximum(SELF_EXCLUSION_DAYS.most)),
    }),
  ]),
  reply: playLimits,
})
