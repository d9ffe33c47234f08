import { day, flag, id, oneOf, rowNumber, type SearchIn, searchOf, typed } from '../../../lib/search/search-of.ts'
import { gridSearch } from '../../lists/grid-search.ts'

export const readHistorySearch = searchOf({
  ...gridSearch,
  side: oneOf('below', 'above'),
  user_id: id,
  date_from: day,
  date_to: day,
  kind: oneOf('received', 'paid', 'adjustment', 'reversal'),
  method: oneOf('cash', 'transfer', 'offset'),
  search: typed,
  /** Disputes that wait for an answer. */
  is_disputed: flag,
  /** The payment whose details are open. */
  row: rowNumber,
})
export type HistorySearch = SearchIn<typeof readHistorySearch>
