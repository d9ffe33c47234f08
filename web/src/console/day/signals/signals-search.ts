import { day, matching, type SearchIn, searchOf } from '../../../lib/search/search-of.ts'
import { gridSearch } from '../../lists/grid-search.ts'

export const readSignalsSearch = searchOf({
  ...gridSearch,
  /** Days in Bangkok, both included; absent: the last seven. */
  date_from: day,
  date_to: day,
  kind: matching(/^[a-z_]{1,40}$/),
  /** The key of the signal whose details are open. */
  row: matching(/^[\w:-]{1,150}$/),
})
export type SignalsSearch = SearchIn<typeof readSignalsSearch>
