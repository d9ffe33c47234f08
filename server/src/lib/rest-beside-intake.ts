// How long deferrable work rests beside intake: the exposure job, and the full integrity check. It depends on the rate
// of tickets, not on the backlog. Otherwise one late step would be followed by long rests, in which as many tickets
// arrive as a step counts, and the exposure would never catch up.

/** The shortest rest, in ms. */
const REST_MS = 250
/** Rate above which intake needs the processor more. */
const BUSY_TICKETS_PER_S = 1_000
/** The rest after a step while intake is busy, as a multiple of the step's duration. */
const BUSY_REST_FACTOR = 12
/** The longest rest, in ms; a day's backlog is counted in minutes. */
const MAX_REST_MS = 5_000

/** A step's duration, and the ticket rate since the previous one. */
export interface Pace {
  workedMs: number
  tickets_per_s: number
}

function isBusy({ tickets_per_s }: Pace): boolean {
  return tickets_per_s >= BUSY_TICKETS_PER_S
}

/** The rest after non-urgent work, in ms: none unless intake is busy. */
export function restWhileBusy(pace: Pace): number {
  return isBusy(pace) ? restAfter(pace) : 0
}

/** The rest after a step of the exposure job, in ms. Unless intake is busy, the job works at most half of the time. */
export function restAfter(pace: Pace): number {
  const { workedMs } = pace
  const factor = isBusy(pace) ? BUSY_REST_FACTOR : 1
  return Math.min(MAX_REST_MS, Math.max(REST_MS, factor * workedMs))
}

/** The rest if nothing was counted. */
export const IDLE_REST_MS = REST_MS

/**
 * Period over which the rate is measured, in ms. After a stall of the database, tickets come at once, which is no load.
 */
const RATE_MS = 2_000

/** Measures how fast ids are drawn, which gives the ticket rate without counting tickets. */
export function createRateMeter(): (last_order_id: number, nowMs: number) => number {
  const samples: { last_order_id: number; atMs: number }[] = []
  return (last_order_id, nowMs) => {
    samples.push({ last_order_id, atMs: nowMs })
    // The oldest sample is at least as old as the period.
    while (samples.length > 2 && nowMs - samples[1]!.atMs >= RATE_MS) samples.shift()
    const oldest = samples[0]!
    return nowMs === oldest.atMs ? 0 : ((last_order_id - oldest.last_order_id) * 1_000) / (nowMs - oldest.atMs)
  }
}
