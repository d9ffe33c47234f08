import { matching, oneOf, type SearchIn, searchOf, text, username } from '../../../lib/search/search-of.ts'
import { gridSearch } from '../../lists/grid-search.ts'

const dayAndTime = matching(/^(19|2\d)\d{2}-\d{2}-\d{2}T\d{2}:\d{2}$/)
const baht = matching(/^\d{1,9}(\.\d{1,2})?$/)

export const ticketStates = ['CONFIRMED', 'WAIT_CONFIRM', 'CANCELLED', 'DELETED'] as const

export const readTicketsSearch = searchOf({
  ...gridSearch,
  /** A ticket's number, a username, a period's code, a number that was bet on, or a part of a note. */
  search: text,
  username,
  product_code: matching(/^[a-z0-9-]{1,40}$/),
  period_code: matching(/^[a-z0-9-]{1,60}$/),
  /** As in a field for a day and a time, in Bangkok. */
  placed_from: dayAndTime,
  placed_to: dayAndTime,
  /** Baht, as typed. */
  bet_from: baht,
  bet_to: baht,
  /** The network address of the owner's log-in. */
  address: matching(/^[\dA-Fa-f.:]{2,60}$/),
  state: oneOf(...ticketStates),
  /** `off`: the list does not follow new tickets. */
  live: oneOf('off'),
})
export type TicketsSearch = SearchIn<typeof readTicketsSearch>
