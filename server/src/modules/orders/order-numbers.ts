// Numbers for tickets to come, drawn from the database ahead so that a batch need not ask for its own. Members see their tickets
// in the order of these: they are soon too old to be given, and this node never gives a lower one after a higher one.

/** How long numbers are kept, in ms. */
const KEPT_MS = 100

export interface OrderNumbers {
  add(order_ids: readonly number[]): void
  /** Undefined where there is none. */
  take(): number | undefined
  /** How many more a batch of so many tickets should draw. */
  lacking(ticketCount: number): number
  /** Notes that a ticket was given a number that was not from here. */
  pass(order_id: number): void
}

/** Where many come at a time, the batches behind this one have set out before its answer is here. */
export function reserveFor(ticketCount: number): number {
  return ticketCount < 16 ? ticketCount : 4 * ticketCount
}

/** @param readClock in ms */
export function createOrderNumbers(readClock: () => number): OrderNumbers {
  let kept: number[] = []
  let addedAtMs = -Infinity
  let last = 0
  const listFresh = () => (readClock() - addedAtMs > KEPT_MS ? [] : kept)
  return {
    add: (order_ids) => {
      kept = [...listFresh(), ...order_ids].filter((each) => each > last).toSorted((a, b) => a - b)
      addedAtMs = readClock()
    },
    take: () => {
      const order_id = listFresh().shift()
      if (order_id !== undefined) last = order_id
      return order_id
    },
    lacking: (ticketCount) => Math.max(0, reserveFor(ticketCount) - listFresh().length),
    pass: (order_id) => {
      last = Math.max(last, order_id)
      kept = kept.filter((each) => each > last)
    },
  }
}
