import { oneOf, type SearchIn, searchOf } from '../../../lib/search/search-of.ts'
import { gridSearch } from '../../lists/grid-search.ts'

export const readApprovalsSearch = searchOf({
  ...gridSearch,
  /** `decided`: what has been decided or has expired, in place of what waits. */
  list: oneOf('decided'),
})
export type ApprovalsSearch = SearchIn<typeof readApprovalsSearch>
