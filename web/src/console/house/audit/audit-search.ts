import {
  day,
  oneOf,
  matching,
  rowNumber,
  type SearchIn,
  searchOf,
  text,
  username,
} from '../../../lib/search/search-of.ts'
import { gridSearch } from '../../lists/grid-search.ts'

export const readAuditSearch = searchOf({
  ...gridSearch,
  /** Days in Bangkok, both included. */
  date_from: day,
  date_to: day,
  actor: username,
  principal: username,
  subject_user: username,
  /** Such as `user:12`. */
  subject: text,
  action: matching(/^[a-z_]{1,60}$/),
  /** Log-ins and log-outs are left out if absent. */
  log_ins: oneOf('on'),
  /** The number of the row whose details are open. */
  row: rowNumber,
})
export type AuditSearch = SearchIn<typeof readAuditSearch>
