// Signals: patterns that a person should look into, with the figures behind them. A signal has no automatic effect.
// Each kind needs the permission of the records it is counted from.

import * as z from 'zod/mini'
import { permissionsOfSignals } from '../permissions.ts'
import * as calls from '../calls/signals.ts'
import { type DataOf, defineRoute, type TopLevelOf } from '../route.ts'
import { betTypeCode, day, instant, period, periodCode, satang, userLevel } from '../wire.ts'

/**
 * - `late_stakes`: a member staked much of its total for a period in the last minute before the close
 * - `late_deletes`: an upline or the office deleted a period's tickets shortly before its close
 * - `shared_access`: several members logged in from one device or one address
 * - `improbable_wins`: a member won with one bet type in more periods than chance explains
 * - `cancelled_tickets`: many of a member's tickets were cancelled, or needed confirmation
 * - `credit_churn`: a user's credit limit was repeatedly raised and lowered
 * - `differing_results`: results that an office user entered differed from the second entry
 */
export const signalKinds = [
  'late_stakes',
  'late_deletes',
  'shared_access',
  'improbable_wins',
  'cancelled_tickets',
  'credit_churn',
  'differing_results',
] as const
export type SignalKind = (typeof signalKinds)[number]

export const signalKind = z.enum(signalKinds)

const count = z.int().check(z.minimum(0))

/** Thresholds of signals. A figure equal to its threshold is a signal. */
export const signalThresholds = z.strictObject({
  late_stakes: z.strictObject({
    /** A stake is late from this long before the close. */
    seconds: count,
    /** The member's late stakes in the period. */
    least_satang: satang,
    /** Late stakes as a percentage of the member's stakes in the period. */
    least_percent: count,
  }),
  late_deletes: z.strictObject({
    /** A delete is late from this long before the close. */
    minutes: count,
    /** The bets of the tickets that one person deleted in the period. */
    least_satang: satang,
  }),
  shared_access: z.strictObject({ least_device_members: count, least_address_members: count }),
  improbable_wins: z.strictObject({
    /** Periods in which the member won. */
    least_hits: count,
    /** The highest probability, as its logarithm to base 10: −6 is one in a million. */
    max_chance_log10: z.number(),
  }),
  cancelled_tickets: z.strictObject({
    /** Tickets that were cancelled or needed confirmation. */
    least_tickets: count,
    /** As a percentage of the member's tickets. */
    least_percent: count,
  }),
  credit_churn: z.strictObject({ least_raises: count, least_cuts: count }),
  differing_results: z.strictObject({ least_differing: count }),
})
export type SignalThresholds = z.output<typeof signalThresholds>

const base = {
  /** Identifies the signal in the reply, stable for the same days. */
  signal_key: z.string(),
  /** The first twenty users concerned. */
  users: z.array(
    z.strictObject({
      user_id: z.int(),
      /** Null for an office user if the viewer is not of the office, and for a user above the viewer. */
      username: z.nullable(z.string()),
      display_name: z.nullable(z.string()),
      level: userLevel,
      /** The user's level if it is above the viewer; otherwise null. */
      above_level: z.nullable(userLevel),
      /** Whether the viewer may open the user's profile. */
      has_profile: z.boolean(),
    }),
  ),
  user_count: count,
  /** The period concerned, if it is a single one. */
  period: z.nullable(period),
  /** The first and the last instant counted. */
  first_at: instant,
  last_at: instant,
  /** Pages that the viewer can open next. */
  opens: z.array(z.enum(['tickets', 'profile', 'sessions', 'audit'])),
}

export const signal = z.union([
  z.strictObject({
    kind: z.literal('late_stakes'),
    ...base,
    ticket_count: count,
    late_satang: satang,
    /** All the member's stakes in the period. */
    period_satang: satang,
  }),
  z.strictObject({
    kind: z.literal('late_deletes'),
    ...base,
    ticket_count: count,
    member_count: count,
    bet_satang: satang,
    /** From the last delete to the close. */
    ms_before_close: z.int(),
  }),
  z.strictObject({
    kind: z.literal('shared_access'),
    ...base,
    by: z.enum(['device', 'address']),
    /** Null for a device. */
    address: z.nullable(z.string()),
    /** Log-ins in these days. Null for a device, because only the last use by each member is known. */
    log_in_count: z.nullable(count),
  }),
  z.strictObject({
    kind: z.literal('improbable_wins'),
    ...base,
    bet_type: betTypeCode,
    /** Settled periods in which the member had this bet type. */
    period_count: count,
    /** Periods of these that it won. */
    hit_count: count,
    /** Expected wins, as a decimal number with two places. */
    expected_hits: z.string(),
    /** Probability of at least this many wins, as its logarithm to base 10; −300 stands for anything lower. */
    chance_log10: z.number(),
    received_satang: satang,
    win_satang: satang,
  }),
  z.strictObject({
    kind: z.literal('cancelled_tickets'),
    ...base,
    ticket_count: count,
    cancelled_count: count,
    /** Tickets that needed the member's confirmation, including cancelled ones. */
    waiting_count: count,
    /** Tickets cancelled or waiting, each counted once. */
    marked_count: count,
  }),
  z.strictObject({
    kind: z.literal('credit_churn'),
    ...base,
    raise_count: count,
    cut_count: count,
    raised_satang: satang,
    cut_satang: satang,
    least_limit_satang: satang,
    highest_limit_satang: satang,
  }),
  z.strictObject({
    kind: z.literal('differing_results'),
    ...base,
    /** Results that the user entered or repeated, including corrections. */
    entry_count: count,
    /** Entries that differed from the other person's. */
    differing_count: count,
    /** Of these, entries that differ from the result agreed later. */
    wrong_count: count,
    /** The latest twenty periods with differing entries, newest first. */
    period_codes: z.array(periodCode),
  }),
])

export const listSignals = defineRoute({
  ...calls.listSignals,
  price: 'report',
  access: 'console',
  needs: permissionsOfSignals,
  summary:
    'What a person should look into, with the figures behind it: of the line of the caller, for the office of everybody; of each kind whose records the caller may view. At most 200 of a kind, the most severe first',
  query: z.strictObject({
    /**
     * Days in Asia/Bangkok, both included, at most 31: days of periods, log-ins, credit changes and entries. Defaults
     * to the last seven.
     */
    date_from: z.optional(day),
    date_to: z.optional(day),
    /** Only this kind. */
    kind: z.optional(signalKind),
  }),
  reply: z.array(signal),
  top_level: z.strictObject({
    date_from: day,
    date_to: day,
    /** The kinds that were checked, and how many signals each has, including those beyond 200. */
    kinds: z.array(z.strictObject({ kind: signalKind, count })),
    thresholds: signalThresholds,
  }),
})
export type Signal = DataOf<typeof listSignals>[number]
export type SignalOf<Kind extends SignalKind> = Extract<Signal, { kind: Kind }>
export type SignalsFound = TopLevelOf<typeof listSignals>
