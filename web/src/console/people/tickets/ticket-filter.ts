// The page's search parameters as the server's filter.

import type { TicketFilter } from './queries.ts'
import { readBangkok } from '../../../lib/format/bangkok-field.ts'
import { dropUndefined } from '../../../lib/search/drop-undefined.ts'
import type { TicketsSearch } from './tickets-search.ts'
import { readBaht } from '../amounts.ts'

function amountOf(text: string | undefined): string | undefined {
  const satang = text === undefined ? null : readBaht(text)
  return satang === null ? undefined : String(satang)
}

function instantOf(text: string | undefined): string | undefined {
  return text === undefined || Number.isNaN(Date.parse(text)) ? undefined : (readBangkok(text) ?? undefined)
}

/** Whatever cannot be read, such as the 30th of February, does not narrow the list. */
export function filterOf(search: TicketsSearch): TicketFilter {
  const { username, product_code, period_code, address, state } = search
  return dropUndefined({
    search: search.search,
    username,
    product_code,
    period_code,
    address,
    status: state,
    placed_from: instantOf(search.placed_from),
    placed_to: instantOf(search.placed_to),
    bet_from_satang: amountOf(search.bet_from),
    bet_to_satang: amountOf(search.bet_to),
  })
}
