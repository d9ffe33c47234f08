// Which request_ids came by of late. It only hints at tickets that may stand already, and are looked for: whoever is not
// hinted at and stands nevertheless is found by the database, which takes a request_id of a member once.

/** A power of two: as many as a minute of the greatest load brings, and some. */
const PLACES = 1 << 19

export interface RecentRequests {
  /** Whether a request_id may have come before; a newcomer is said to have now and then. It is noted. */
  mayHaveCome(request_id: string): boolean
}

export function createRecentRequests(): RecentRequests {
  const seen = new Uint32Array(PLACES)
  return {
    mayHaveCome: (request_id) => {
      // Random bits, where the client keeps to the rule; where it does not, it slows down none but its batch.
      const mark = Number.parseInt(request_id.slice(0, 8), 16) >>> 0
      const place = (mark ^ (mark >>> 13)) & (PLACES - 1)
      const hasCome = seen[place] === mark
      seen[place] = mark
      return hasCome
    },
  }
}
