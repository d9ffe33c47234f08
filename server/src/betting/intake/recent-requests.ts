// A filter of request_ids that were seen recently. It only hints at existing tickets: for an existing ticket that was
// not seen here the unique key of member and request_id decides.

import { randomInt } from 'node:crypto'

/** A power of two: more than a minute of the greatest load brings. */
const BUCKETS = 1 << 19

export interface RecentRequests {
  /** Records a request_id. @returns whether it was seen before; rarely true for one that was not */
  hasSeen(request_id: string): boolean
}

export function createRecentRequests(): RecentRequests {
  const seen = new Uint32Array(BUCKETS)
  // Random, so that nobody can evict another's id on purpose.
  const [salt, otherSalt] = [randomInt(2 ** 32), randomInt(2 ** 32)]
  return {
    hasSeen: (request_id) => {
      const mark = mix(hashText(request_id, salt)) ^ mix(hashText(request_id, otherSalt))
      const bucket = mark & (BUCKETS - 1)
      const wasSeen = seen[bucket] === mark >>> 0
      seen[bucket] = mark
      return wasSeen
    },
  }
}

/** FNV-1a, from a random basis. */
function hashText(text: string, basis: number): number {
  let hash = basis
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x0100_0193)
  return hash
}

/** Every bit of the input affects every bit of the result (the finaliser of MurmurHash3). */
function mix(bits: number): number {
  let mixed = Math.imul(bits ^ (bits >>> 16), 0x85eb_ca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2_ae35)
  return mixed ^ (mixed >>> 16)
}
