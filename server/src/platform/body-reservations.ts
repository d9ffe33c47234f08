// Reservations of memory for large bodies that are still arriving. A client may send the head of a call and keep back the end of its body: without a
// bound two hundred such calls held 180 MB. Small bodies reserve nothing, so that nobody is kept from small acts. The bounds are of this node.

import { Refusal } from './refusal.ts'

export interface BodyReservations {
  /**
   * Reserves memory for a body before it is read.
   * @param key of whom it is
   * @returns releases it; called again it does nothing
   * @throws Refusal too_many_requests: too much of the caller, or of all, is arriving
   */
  reserve: (key: string, bytes: number) => () => void
}

/** Four of the largest bodies. */
const BYTES_OF_ONE = 4 * 1_024 * 1_024
const BYTES_OF_ALL = 256 * 1_024 * 1_024
/** How long a refused caller has to wait, in ms. */
const RETRY_AFTER_MS = 1_000

export function createBodyReservations({ ofOne = BYTES_OF_ONE, ofAll = BYTES_OF_ALL } = {}): BodyReservations {
  /** Those of whom something is arriving. */
  const bytesBy = new Map<string, number>()
  let total = 0

  function add(key: string, bytes: number): void {
    const left = (bytesBy.get(key) ?? 0) + bytes
    if (left === 0) bytesBy.delete(key)
    else bytesBy.set(key, left)
    total += bytes
  }

  return {
    reserve(key, bytes) {
      if ((bytesBy.get(key) ?? 0) + bytes > ofOne || total + bytes > ofAll)
        throw new Refusal('too_many_requests', { wait_ms: RETRY_AFTER_MS })
      add(key, bytes)
      let isHeld = true
      return () => {
        if (isHeld) add(key, -bytes)
        isHeld = false
      }
    },
  }
}
