import { oneOf, type SearchIn, searchOf, username } from '../../../lib/search/search-of.ts'
import { gridSearch } from '../../lists/grid-search.ts'

export const readStaffSearch = searchOf({
  ...gridSearch,
  /** The one whose details are open. */
  user: username,
  /** The form that is open. */
  add: oneOf('assistant', 'office'),
})
export type StaffSearch = SearchIn<typeof readStaffSearch>
