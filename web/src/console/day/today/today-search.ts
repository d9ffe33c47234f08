import { oneOf, type SearchIn, searchOf } from '../../../lib/search/search-of.ts'
import { gridSearch } from '../../lists/grid-search.ts'

/** `now`: what is open, awaits something, or has an alert; `all`: also what is done or still to open. */
export const dayFilters = ['now', 'open', 'due', 'alerts', 'done', 'all'] as const
export type DayFilter = (typeof dayFilters)[number]

export const readTodaySearch = searchOf({
  ...gridSearch,
  /** Only a part of the day's periods; absent: what is to be watched now. */
  show: oneOf('open', 'due', 'alerts', 'done', 'all'),
})
export type TodaySearch = SearchIn<typeof readTodaySearch>
