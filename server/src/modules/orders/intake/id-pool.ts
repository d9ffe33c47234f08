// Ids for tickets to come, drawn from the database ahead, so that a batch that does not read need not ask for its own. Members see
// their tickets in the order of the ids: ids are discarded soon, and this node never gives a lower one after a higher one.

/** How long ids are kept, in ms. */
const TTL_MS = 100

export interface IdPool {
  add(order_ids: readonly number[]): void
  /** Ascending; fewer where there are not so many. */
  take(count: number): number[]
  /** How many more a batch of so many tickets should draw. */
  shortfall(ticketCount: number): number
  /** Discards all ids up to one that a ticket was given without the pool. */
  discardUpTo(order_id: number): void
}

/** How many ids a batch draws for those behind it: where many arrive, they are sent before this one's reply is here. */
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
      const taken = listFresh().splice(0, count)
      last = taken.at(-1) ?? last
      return taken
    },
    shortfall: (ticketCount) => Math.max(0, idsToDraw(ticketCount) - listFresh().length),
    discardUpTo: (order_id) => {
      last = Math.max(last, order_id)
      pool = pool.filter((each) => each > last)
    },
  }
}
