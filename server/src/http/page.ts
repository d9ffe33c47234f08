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
 * How many rows back a numbered page of a list leads that is read from its newest row on. Far pages read all before them; parts
 * (`before`) lead on.
 */
const FARTHEST_ROW = 2_000

/** @throws Refusal bad_input: the page ends further back than `FARTHEST_ROW` */
export function refuseFarPage({ limit, offset }: { limit: number; offset: number }): void {
  if (offset + limit > FARTHEST_ROW)
    throw new Refusal('bad_input', { problems: [{ part: 'querystring', path: '/page', rule: 'maximum' }] })
}

/** A page, or a part of an endless list. */
export interface Part {
  limit: number
  offset: number
  /** Only rows before this one. */
  before?: number | undefined
  /**
   * A numbered page is filled as long as it lies within what is scanned (`orders/read/lists.store.ts`); a part may be shorter. Both
   * name where the next part begins.
   */
  isPage?: boolean
}

/** A page where `page` is given, else the part of an endless list that follows the row `before`, or its first part. */
export function readPart(query: {
  page?: string | undefined
  ipp?: string | undefined
  before?: string | undefined
}): Part {
  const { limit, offset } = readPage(query)
  if (query.before !== undefined) return { limit, offset: 0, before: Number(query.before) }
  return { limit, offset, isPage: query.page !== undefined }
}
