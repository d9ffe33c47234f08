import { oneOf, type SearchIn, searchOf } from '../../../lib/search/search-of.ts'
import { gridSearch } from '../../lists/grid-search.ts'

/** `now`: periods that are open, pending or have an alert; `all`: also finished and future ones. */
export const dayFilters = ['now', 'open', 'due', 'alerts', 'done', 'all'] as const
export type DayFilter = (typeof dayFilters)[number]

export const readTodaySearch = searchOf({
  ...gridSearch,
  /** Filter of the day's periods; `now` if absent. */
  show: oneOf('open', 'due', 'alerts', 'done', 'all'),
})
export type TodaySearch = SearchIn<typeof readTodaySearch>
