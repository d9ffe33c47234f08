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

/** A page, or with `before` (the number of a row) the part of an endless list behind that row. */
export function readPart(query: { page?: string | undefined; ipp?: string | undefined; before?: string | undefined }): {
  limit: number
  offset: number
  before: number | undefined
} {
  const { limit, offset } = readPage(query)
  return query.before === undefined
    ? { limit, offset, before: undefined }
    : { limit, offset: 0, before: Number(query.before) }
}
