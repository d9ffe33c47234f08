import { oneOf, type SearchIn, searchOf } from '../../../lib/search/search-of.ts'
import { gridSearch } from '../../lists/grid-search.ts'

export const readSessionsSearch = searchOf({
  ...gridSearch,
  /** Whose sessions; absent: one's own. */
  scope: oneOf('staff', 'downline'),
})
export type SessionsSearch = SearchIn<typeof readSessionsSearch>
