// Ids for future tickets, drawn from the database in advance, so that a batch that reads nothing need not draw its own.
// Members see their tickets in the order of the ids: ids expire soon, and this node never uses a lower one after a
// higher one.

/** How long ids are usable, in ms. */
const TTL_MS = 100

export interface IdPool {
  add(order_ids: readonly number[]): void
  /** Ascending; fewer where the pool has fewer. */
  take(count: number): number[]
  /** How many further ids a batch with so many tickets should draw. */
  shortfall(ticketCount: number): number
  /** Discards all ids up to one that was used without the pool. */
  discardUpTo(order_id: number): void
}

/** How many ids a batch draws for the next ones: under load they are sent before this batch's reply arrives. */
export function idsToDraw(ticketCount: number): number {
  return ticketCount < 16 ? ticketCount : 4 * ticketCount
}

/** @param readClock in ms */
export function createIdPool(readClock: () => number): IdPool {
  let pool: number[] = []
  let addedAtMs = -Infinity
  let last = 0
  const listFresh = () => (readClock() - addedAtMs > TTL_MS ? [] : pool)
  return {
    add: (order_ids) => {
      pool = [...listFresh(), ...order_ids].filter((each) => each > last).toSorted((a, b) => a - b)
      addedAtMs = readClock()
    },
    take: (count) => {
      const ids = listFresh().splice(0, count)
      last = ids.at(-1) ?? last
      return ids
    },
    shortfall: (ticketCount) => Math.max(0, idsToDraw(ticketCount) - listFresh().length),
    discardUpTo: (order_id) => {
      last = Math.max(last, order_id)
      pool = pool.filter((each) => each > last)
    },
  }
}
