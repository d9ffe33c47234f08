// Thresholds of signals. They are part of the reply and shown on screen beside the findings.

import type { SignalThresholds } from '@megalot/contract'

/**
 * The last minute: long enough for several tickets, and short enough to exclude the usual rush of the last quarter of
 * an hour.
 */
const LATE_STAKE_SECONDS = 60
/** 1,000 Baht: smaller late stakes are not worth a review. */
const LATE_STAKE_SATANG = 100_000
/**
 * Half of the member's stakes in the period, so that a member who bets all day and once more at the end is no signal.
 */
const LATE_STAKE_PERCENT = 50

/** Twice the default five minutes before the close in which members may no longer cancel. */
const LATE_DELETE_MINUTES = 10
/** 1,000 Baht by one person in one period; tickets removed at a member's request are usually smaller. */
const LATE_DELETE_SATANG = 100_000

/** A device is rarely shared: two members of one browser are one person, or two who know each other. */
const DEVICE_MEMBERS = 2
/**
 * An address is shared by a household, and by all phones behind a mobile operator's router, so two members mean little.
 */
const ADDRESS_MEMBERS = 3

/** Some member has two wins of a rare bet type every week; three are a pattern to look into. */
const LEAST_HITS = 3
/**
 * One in a million. With 10,000 members and nine bet types, chance alone makes one of eleven calls show a signal; at
 * one in ten thousand it would be nine signals per call.
 */
const MAX_CHANCE_LOG10 = -6

/** Ten tickets: a share of fewer means little. */
const MARKED_TICKETS = 10
/** Half of all tickets: more is cancelled, or too large for the house, than is accepted. */
const MARKED_PERCENT = 50

/** Three times up and three times down. Payments change no limit. */
const CREDIT_RAISES = 3
const CREDIT_CUTS = 3

/** Two: one differing entry is a typing error, which the second entry is there to find. */
const DIFFERING_RESULTS = 2

export const thresholds: SignalThresholds = {
  late_stakes: {
    seconds: LATE_STAKE_SECONDS,
    least_satang: LATE_STAKE_SATANG,
    least_percent: LATE_STAKE_PERCENT,
  },
  late_deletes: { minutes: LATE_DELETE_MINUTES, least_satang: LATE_DELETE_SATANG },
  shared_access: { least_device_members: DEVICE_MEMBERS, least_address_members: ADDRESS_MEMBERS },
  improbable_wins: { least_hits: LEAST_HITS, max_chance_log10: MAX_CHANCE_LOG10 },
  cancelled_tickets: { least_tickets: MARKED_TICKETS, least_percent: MARKED_PERCENT },
  credit_churn: { least_raises: CREDIT_RAISES, least_cuts: CREDIT_CUTS },
  differing_results: { least_differing: DIFFERING_RESULTS },
}
