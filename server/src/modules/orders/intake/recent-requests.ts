// A filter of request_ids that were seen recently. It only hints at tickets that may exist already: one that exists and was not
// seen here is found by the database, which takes a request_id of a member once.

import { randomInt } from 'node:crypto'

/** A power of two: as many as a minute of the greatest load brings, and some. */
const PLACES = 1 << 19

export interface RecentRequests {
  /** Records a request_id. @returns whether it was seen before; now and then true for one that was not */
  hasSeen(request_id: string): boolean
}

export function createRecentRequests(): RecentRequests {
  const seen = new Uint32Array(PLACES)
  // Random, so that nobody can have an id evicted by sending another that shares its place.
  const [salt, otherSalt] = [randomInt(2 ** 32), randomInt(2 ** 32)]
  return {
    hasSeen: (request_id) => {
      const mark = mix(firstBits(request_id) ^ salt) ^ mix(lastBits(request_id) ^ otherSalt)
      const place = mark & (PLACES - 1)
      const wasSeen = seen[place] === mark >>> 0
      seen[place] = mark
      return wasSeen
    },
  }
}

function firstBits(request_id: string): number {
  return Number.parseInt(request_id.slice(0, 8), 16)
}

function lastBits(request_id: string): number {
  return Number.parseInt(request_id.slice(-8), 16)
}

/** Every bit of the result depends on every bit given (the finaliser of MurmurHash3). */
function mix(bits: number): number {
  let mixed = Math.imul(bits ^ (bits >>> 16), 0x85eb_ca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2_ae35)
  return mixed ^ (mixed >>> 16)
}
