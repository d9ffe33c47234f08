import { isDay } from '../../lib/format/calendar-day.ts'

/** What narrows a list of tickets. It stands in the address, so that going back finds the same list. */
export interface BillFilters {
  /** The number of a ticket, a part of its note, or a number that was bet on. */
  search?: string
  product_code?: string
  /** Only together with its market. */
  period_code?: string
  status?: BillStatus
  /** Whose tickets, for those who see more than their own. */
  username?: string
  /** The days on which tickets were placed; both belong to the span. */
  date_from?: string
  date_to?: string
}

/** What a member looks for; a ticket is in another status for moments only. */
export const billStatuses = ['WAIT_CONFIRM', 'CONFIRMED', 'CANCELLED', 'DELETED'] as const
export type BillStatus = (typeof billStatuses)[number]

const CODE = /^[a-z0-9]+(-[a-z0-9]+)*$/
const USERNAME = /^[A-Za-z0-9]{2,255}$/
const MAX_SEARCH_LENGTH = 200

/** Reads filters out of an address, which anybody may have written: what makes no sense is left out. */
export function readBillFilters(search: Readonly<Record<string, unknown>>): BillFilters {
  const filters: BillFilters = {}
  // An address made of digits alone is read as a number.
  const typed = search['search']
  const text = typeof typed === 'string' || typeof typed === 'number' ? String(typed).slice(0, MAX_SEARCH_LENGTH) : ''
  if (text.trim() !== '') filters.search = text
  const { product_code, period_code, username, date_from, date_to } = search
  if (typeof product_code === 'string' && CODE.test(product_code)) {
    filters.product_code = product_code
    if (typeof period_code === 'string' && CODE.test(period_code)) filters.period_code = period_code
  }
  const status = billStatuses.find((one) => one === search['status'])
  if (status !== undefined) filters.status = status
  if (typeof username === 'string' && USERNAME.test(username)) filters.username = username
  if (isDay(date_from)) filters.date_from = date_from
  if (isDay(date_to)) filters.date_to = date_to
  return filters
}
