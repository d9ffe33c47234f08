// How long work that can wait rests beside intake: the follower of the book, and the auditor's check of everything. What counts is
// how fast tickets come, not how many wait: a step of the book that was late once would otherwise be followed by long rests, in which as
// many tickets come as a step counts, and the book would stay behind.

/** The shortest rest, in ms. */
const REST_MS = 250
/** From so many tickets a second on, intake needs the processor more. */
const BUSY_TICKETS_PER_S = 1_000
/** The rest after a step while intake is busy, as a multiple of the time that the step took. */
const BUSY_REST_FACTOR = 12
/** The longest rest, in ms: a day's backlog is counted in minutes. */
const MAX_REST_MS = 5_000

/** What is known after a step: how long it worked, and how fast tickets have come since the one before. */
export interface Pace {
  workedMs: number
  tickets_per_s: number
}

function isBusy({ tickets_per_s }: Pace): boolean {
  return tickets_per_s >= BUSY_TICKETS_PER_S
}

/** The rest after a piece of work that has no haste, in ms: none while intake is not busy. */
export function restWhileBusy(pace: Pace): number {
  return isBusy(pace) ? restAfter(pace) : 0
}

/** The rest after a step of the book, in ms. While intake is not busy, the book works half of the time at most. */
export function restAfter(pace: Pace): number {
  const { workedMs } = pace
  const factor = isBusy(pace) ? BUSY_REST_FACTOR : 1
  return Math.min(MAX_REST_MS, Math.max(REST_MS, factor * workedMs))
}

/** Where nothing was counted. */
export const IDLE_REST_MS = REST_MS

/** Over how long the rate is measured, in ms: after a stall of the database tickets come at once, which is no load. */
const RATE_MS = 2_000

/** Follows how fast ids are drawn: how many tickets were placed is known without counting them. */
export function createRateMeter(): (last_order_id: number, nowMs: number) => number {
  const samples: { last_order_id: number; atMs: number }[] = []
  return (last_order_id, nowMs) => {
    samples.push({ last_order_id, atMs: nowMs })
    // The oldest sample is as old as the span, or a little older.
    while (samples.length > 2 && nowMs - samples[1]!.atMs >= RATE_MS) samples.shift()
    const oldest = samples[0]!
    return nowMs === oldest.atMs ? 0 : ((last_order_id - oldest.last_order_id) * 1_000) / (nowMs - oldest.atMs)
  }
}
