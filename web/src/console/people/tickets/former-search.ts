// Tickets had a list of their own at `/bills`, whose addresses are in bookmarks.

import { addDays } from '../../../lib/format/calendar-day.ts'
import { day } from '../../../lib/search/search-of.ts'
import type { RawSearch } from '../../../lib/search/validate-search.ts'
import { readTicketsSearch, type TicketsSearch } from './tickets-search.ts'

/** The filters of `/tickets` that find what `/bills` found. */
export function ticketsSearchOf({ status, date_from, date_to, ...same }: RawSearch): TicketsSearch {
  const [first, last] = [day(date_from), day(date_to)]
  return readTicketsSearch({
    ...same,
    state: status,
    placed_from: first && `${first}T00:00`,
    placed_to: last && `${addDays(last, 1)}T00:00`,
  })
}

/** The same for `/bills/deleted`, whose list read neither period nor status. */
export function deletedTicketsSearchOf({ period_code: _period, ...rest }: RawSearch): TicketsSearch {
  return ticketsSearchOf({ ...rest, status: 'DELETED' })
}
