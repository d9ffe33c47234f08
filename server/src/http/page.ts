import { Refusal } from '../lib/refusal.ts'

const DEFAULT_SIZE = 15
const LARGEST_SIZE = 100

/** `page` (from 0) and `ipp` (items per page, at most 100) of a query as limit and offset. */
export function readPage(query: { page?: string | undefined; ipp?: string | undefined }): {
  limit: number
  offset: number
} {
  const limit = Math.min(Math.max(Number(query.ipp ?? DEFAULT_SIZE), 1), LARGEST_SIZE)
  return { limit, offset: Number(query.page ?? 0) * limit }
}

/**
 * The farthest row that numbered pages reach in lists read from the newest row on. Far pages read all rows before them;
 * cursors (`before`) do not.
 */
const FARTHEST_ROW = 2_000

/** @throws Refusal bad_input if the page ends beyond `FARTHEST_ROW` */
export function refuseFarPage({ limit, offset }: { limit: number; offset: number }): void {
  if (offset + limit > FARTHEST_ROW)
    throw new Refusal('bad_input', { problems: [{ part: 'querystring', path: '/page', rule: 'maximum' }] })
}

/** A numbered page, or a page after a cursor. */
export interface Part {
  limit: number
  offset: number
  /** Only rows before this one. */
  before?: number | undefined
  /**
   * A numbered page is filled within the scanned range (`orders/read/lists.store.ts`); a page after a cursor may be
   * shorter. Both name the next cursor.
   */
  isPage?: boolean
}

/** The numbered page if `page` is given, otherwise the page after the row `before`, or the first one. */
export function readPart(query: {
  page?: string | undefined
  ipp?: string | undefined
  before?: string | undefined
}): Part {
  const { limit, offset } = readPage(query)
  if (query.before !== undefined) return { limit, offset: 0, before: Number(query.before) }
  return { limit, offset, isPage: query.page !== undefined }
}
