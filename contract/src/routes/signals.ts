// Signals: what a person should look into, each with the figures behind it. Nothing follows from a signal by itself. A signal
// shows nothing that its viewer may not read elsewhere: each kind needs the permission of the records it is counted from.

import * as z from 'zod/mini'
import { permissionsOfSignals } from '../permissions.ts'
import { type DataOf, defineRoute, type TopLevelOf } from '../route.ts'
import { betTypeCode, day, instant, period, periodCode, satang, userLevel } from '../wire.ts'

/**
 * - `late_stakes`: a member staked much of what it has in a period in the last minute before the close
 * - `late_deletes`: an upline or the office deleted tickets of a period shortly before its close
 * - `shared_access`: several members logged in from one device or one address
 * - `improbable_wins`: a member won with one bet type in more periods than chance explains
 * - `cancelled_tickets`: many of a member's tickets were cancelled, or waited for it
 * - `credit_churn`: the credit limit of a user was raised and lowered again and again
 * - `differing_results`: results that an office user entered differed from what the second one entered
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

/** From when on something is a signal. A figure that equals its threshold is one. */
export const signalThresholds = z.strictObject({
  late_stakes: z.strictObject({
    /** How long before the close a stake is late. */
    seconds: count,
    /** The member's late stakes in the period. */
    least_satang: satang,
    /** Their share of all that the member has in the period. */
    least_percent: count,
  }),
  late_deletes: z.strictObject({
    /** How long before the close a delete is late. */
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
    /** Tickets that were cancelled or waited. */
    least_tickets: count,
    /** Their share of all tickets of the member. */
    least_percent: count,
  }),
  credit_churn: z.strictObject({ least_raises: count, least_cuts: count }),
  differing_results: z.strictObject({ least_differing: count }),
})
export type SignalThresholds = z.output<typeof signalThresholds>

const base = {
  /** Names the signal within the reply; the same for the same days. */
  signal_key: z.string(),
  /** Whom it concerns: the first twenty of them. */
  users: z.array(
    z.strictObject({
      user_id: z.int(),
      /** Null: of the office, for whoever is not of it, or somebody above the viewer. */
      username: z.nullable(z.string()),
      display_name: z.nullable(z.string()),
      level: userLevel,
      /** The level of somebody above the viewer; null: it is nobody of these. */
      above_level: z.nullable(userLevel),
      /** Whether the viewer may open the user's profile. */
      has_profile: z.boolean(),
    }),
  ),
  user_count: count,
  /** The period that it is about, where it is one. */
  period: z.nullable(period),
  /** The first and the last instant of what was counted. */
  first_at: instant,
  last_at: instant,
  /** What the viewer can open next. */
  opens: z.array(z.enum(['tickets', 'profile', 'sessions', 'audit'])),
}

export const signal = z.union([
  z.strictObject({
    kind: z.literal('late_stakes'),
    ...base,
    ticket_count: count,
    late_satang: satang,
    /** All that the member has in the period. */
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
    /** Log-ins in these days. Of a device the last use by each member is known, and no more: null. */
    log_in_count: z.nullable(count),
  }),
  z.strictObject({
    kind: z.literal('improbable_wins'),
    ...base,
    bet_type: betTypeCode,
    /** Settled periods in which the member had this bet type. */
    period_count: count,
    /** Those in which it won. */
    hit_count: count,
    /** How many wins are expected, as a decimal number with two places. */
    expected_hits: z.string(),
    /** The probability of so many wins or more, as its logarithm to base 10; −300 stands for all below. */
    chance_log10: z.number(),
    received_satang: satang,
    win_satang: satang,
  }),
  z.strictObject({
    kind: z.literal('cancelled_tickets'),
    ...base,
    ticket_count: count,
    cancelled_count: count,
    /** Tickets that waited for the member to confirm them, cancelled ones included. */
    waiting_count: count,
    /** Cancelled or waiting, each ticket once. */
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
    /** Results that the user entered or repeated, corrections included. */
    entry_count: count,
    /** Those that differed from the entry of the other person. */
    differing_count: count,
    /** Of these: entries that are not the result that was agreed on later. */
    wrong_count: count,
    /** The periods in which they differed, the latest first: twenty of them. */
    period_codes: z.array(periodCode),
  }),
])

export const listSignals = defineRoute({
  name: 'listSignals',
  price: 'report',
  method: 'GET',
  path: '/api/signals',
  access: 'console',
  needs: permissionsOfSignals,
  summary:
    'What a person should look into, with the figures behind it: of the line of the caller, for the office of everybody; of each kind whose records the caller may view. At most 200 of a kind, the most severe first',
  query: z.strictObject({
    /** Days in Asia/Bangkok, both included, at most 31: days of periods, or of log-ins, changes of credit and entries. Absent: the last seven. */
    date_from: z.optional(day),
    date_to: z.optional(day),
    /** Only this one. */
    kind: z.optional(signalKind),
  }),
  reply: z.array(signal),
  top_level: z.strictObject({
    date_from: day,
    date_to: day,
    /** What was looked for, and how many signals there are of each, with those beyond 200. */
    kinds: z.array(z.strictObject({ kind: signalKind, count })),
    thresholds: signalThresholds,
  }),
})
export type Signal = DataOf<typeof listSignals>[number]
export type SignalOf<Kind extends SignalKind> = Extract<Signal, { kind: Kind }>
export type SignalsFound = TopLevelOf<typeof listSignals>
