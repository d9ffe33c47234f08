import { code, day, oneOf, type SearchIn, searchOf, typed } from '../../lib/search/search-of.ts'

/** What a member looks for; a ticket is in another status for moments only. */
export const billStatuses = ['WAIT_CONFIRM', 'CONFIRMED', 'CANCELLED', 'DELETED'] as const
export type BillStatus = (typeof billStatuses)[number]

/** What narrows a list of tickets. It stands in the address, so that going back finds the same list. */
export const readBillFilters = searchOf(
  {
    /** The number of a ticket, a part of its note, or a number that was bet on. */
    search: typed,
    product_code: code,
    /** Only together with its market. */
    period_code: code,
    status: oneOf(...billStatuses),
    /** The days on which tickets were placed; both belong to the span. */
    date_from: day,
    date_to: day,
  },
  ({ period_code, ...found }) =>
    found.product_code === undefined || period_code === undefined ? found : { ...found, period_code },
)
export type BillFilters = SearchIn<typeof readBillFilters>
