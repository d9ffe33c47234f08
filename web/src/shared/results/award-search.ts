import { anyText, day, oneOf, searchOf } from '../../lib/search/search-of.ts'

/** Absent: the newest results. */
export const readAwardSearch = searchOf({ date: day })

export const drawCounts = ['50', '100', '200'] as const

export const readStatisticsSearch = searchOf({
  product_code: anyText,
  /** The newest draws alone. */
  draws: oneOf(...drawCounts),
})
