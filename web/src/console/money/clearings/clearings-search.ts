import { clearingStates } from '@megalot/contract/browser'
import { day, id, oneOf, type SearchIn, searchOf } from '../../../lib/search/search-of.ts'
import { gridSearch } from '../../lists/grid-search.ts'

export const readClearingsSearch = searchOf({
  ...gridSearch,
  side: oneOf('below', 'above'),
  user_id: id,
  /** A day of the week. */
  week: day,
  state: oneOf(...clearingStates),
})
export type ClearingsSearch = SearchIn<typeof readClearingsSearch>
