import { oneOf, type SearchIn, searchOf } from '../../../lib/search/search-of.ts'
import { gridSearch } from '../../lists/grid-search.ts'

export const readApprovalsSearch = searchOf({
  ...gridSearch,
  /** `decided` lists decided and expired requests instead of pending ones. */
  list: oneOf('decided'),
})
export type ApprovalsSearch = SearchIn<typeof readApprovalsSearch>
