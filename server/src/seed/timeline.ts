// Events in order of time; an event may add further ones.

interface Moment {
  at_ms: number
  happen: () => void
}

export interface Timeline {
  add(at_ms: number, happen: () => void): void
  /** Runs all events that are due until an instant. */
  runUntil(end_ms: number): void
}

export function createTimeline(): Timeline {
  const planned: Moment[] = []
  /** The rest of `planned`, latest first, and the events added since. */
  let pending: Moment[] | undefined
  return {
    add: (at_ms, happen) => {
      const moment = { at_ms, happen }
      if (pending) pending.splice(findIndex(pending, at_ms), 0, moment)
      else planned.push(moment)
    },
    runUntil: (end_ms) => {
      pending = planned.toSorted((one, other) => other.at_ms - one.at_ms)
      for (let next = pending.pop(); next && next.at_ms <= end_ms; next = pending.pop()) next.happen()
    },
  }
}

/** The index of an instant among events that are sorted from late to early: before those of the same instant. */
function findIndex(sorted: readonly Moment[], at_ms: number): number {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle]!.at_ms > at_ms) low = middle + 1
    else high = middle
  }
  return low
}
