// From when on something is a signal. The thresholds are part of the reply and stand on screen beside what they have found:
// whoever reads a signal sees where it begins.

import type { SignalThresholds } from '@megalot/contract'

/** The last minute: long enough for several tickets, and short enough to leave out the usual rush of the last quarter of an hour. */
const LATE_STAKE_SECONDS = 60
/** 1,000 Baht: below, a late stake is not worth anybody's time. */
const LATE_STAKE_SATANG = 100_000
/** Half of what the member has in the period: who bets all day and once more at the end is no signal. */
const LATE_STAKE_PERCENT = 50

/** Twice the five minutes before the close in which members, by default, may cancel no more. */
const LATE_DELETE_MINUTES = 10
/** 1,000 Baht by one person in one period: a ticket that a member asked to have removed is mostly smaller. */
const LATE_DELETE_SATANG = 100_000

/** A device is rarely shared: two members of one browser are one person, or two who know each other. */
const DEVICE_MEMBERS = 2
/** An address is shared by a household, and by all phones behind one router of a mobile operator: two members say little. */
const ADDRESS_MEMBERS = 3

/** Two wins of a rare bet type happen to somebody each week; with three there is a pattern to look into. */
const LEAST_HITS = 3
/**
 * One in a million. Of 10,000 members with nine bet types each, chance alone makes one of eleven calls show a signal; at one
 * in ten thousand it would be nine signals each time.
 */
const MAX_CHANCE_LOG10 = -6

/** Ten tickets: a share of fewer says nothing. */
const MARKED_TICKETS = 10
/** Half of all tickets: more is cancelled, or too large for the house, than is accepted. */
const MARKED_PERCENT = 50

/** Three times up and three times down: once or twice is a member who pays what it owes. */
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
