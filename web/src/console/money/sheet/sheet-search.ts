import { day, matching, oneOf, type SearchIn, searchOf, text } from '../../../lib/search/search-of.ts'

/** What the sheet shows; without a choice, everybody with a balance. */
export const sheetFilters = ['open', 'collect', 'pay', 'over', 'played', 'all'] as const
export type SheetFilter = (typeof sheetFilters)[number]

export const sheetSorts = ['balance', 'name', 'week', 'moved', 'open'] as const
export type SheetSort = (typeof sheetSorts)[number]

export const readSheetSearch = searchOf({
  /** A day of the week; absent: the current week. */
  week: day,
  show: oneOf(...sheetFilters),
  /** Part of a username or a name. */
  search: text,
  /** A column and a direction; absent: the largest balance first. */
  sort: matching(/^(balance|name|week|moved|open)\.(asc|desc)$/),
})
export type SheetSearch = SearchIn<typeof readSheetSearch>
