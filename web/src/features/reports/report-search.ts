import type { SummaryGroup, WinLossFilter } from '@megalot/contract'
import { isDay } from '../../lib/format/calendar-day.ts'

/** What a report is about. It stands in the address, so that a report can be come back to, printed and shown to others. */
export interface ReportSearch {
  date_from?: string
  date_to?: string
  /** Markets with commas between; absent: all. */
  product_code?: string
  filter?: WinLossFilter
  group_by?: SummaryGroup
  /** Somebody under the caller, and what this user is called. */
  user_id?: string
  username?: string
}

export const winLossFilters = ['all', 'win_tickets', 'win_only', 'loss_only'] as const
export const summaryGroups = ['user', 'product', 'day', 'month', 'period'] as const

const CODES = /^[a-z0-9]+(-[a-z0-9]+)*(,[a-z0-9]+(-[a-z0-9]+)*)*$/
const ID = /^[1-9]\d{0,15}$/
const USERNAME = /^[A-Za-z0-9]{2,255}$/

/** Reads what an address says of a report; what makes no sense is left out. */
export function readReportSearch(search: Readonly<Record<string, unknown>>): ReportSearch {
  const read: ReportSearch = {}
  const { date_from, date_to, product_code, username } = search
  if (isDay(date_from)) read.date_from = date_from
  if (isDay(date_to)) read.date_to = date_to
  if (read.date_from !== undefined && read.date_to !== undefined && read.date_from > read.date_to) {
    delete read.date_from
    delete read.date_to
  }
  if (typeof product_code === 'string' && product_code.length <= 1_000 && CODES.test(product_code))
    read.product_code = product_code
  const filter = winLossFilters.find((one) => one === search['filter'])
  if (filter !== undefined) read.filter = filter
  const group_by = summaryGroups.find((one) => one === search['group_by'])
  if (group_by !== undefined) read.group_by = group_by
  const id = search['user_id']
  const user_id = typeof id === 'string' || typeof id === 'number' ? String(id) : ''
  if (ID.test(user_id)) {
    read.user_id = user_id
    if (typeof username === 'string' && USERNAME.test(username)) read.username = username
  }
  return read
}

/** The markets that a report names; none: all. */
export function codesOf({ product_code }: ReportSearch): readonly string[] {
  return product_code === undefined ? [] : product_code.split(',')
}
