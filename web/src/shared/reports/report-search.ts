import type { SummaryGroup, WinLossFilter } from '@megalot/contract'
import { codes, day, id, oneOf, type SearchIn, searchOf, username } from '../../lib/search/search-of.ts'

export const winLossFilters = [
  'all',
  'win_tickets',
  'win_only',
  'loss_only',
] as const satisfies readonly WinLossFilter[]
export const summaryGroups = ['user', 'product', 'day', 'month', 'period'] as const satisfies readonly SummaryGroup[]

/** What all reports share: it stands in the address, so that a report can be come back to, printed and shown to others. */
export const reportSubject = {
  date_from: day,
  date_to: day,
  /** Markets with commas between; absent: all. */
  product_code: codes,
  /** Somebody under the caller, and what this user is called. */
  user_id: id,
  username,
}

interface Subject {
  date_from?: string
  date_to?: string
  user_id?: string
  username?: string
}

/** Days the wrong way round are no span, and a name without an id is nobody. */
export function settleSubject<Found extends Subject>(found: Found): Found {
  const { date_from, date_to, username: name, ...rest } = found
  const isSpan = date_from === undefined || date_to === undefined || date_from <= date_to
  return {
    ...rest,
    ...(isSpan && date_from !== undefined ? { date_from } : {}),
    ...(isSpan && date_to !== undefined ? { date_to } : {}),
    ...(found.user_id !== undefined && name !== undefined ? { username: name } : {}),
  } as Found
}

export const readReportSearch = searchOf(
  { ...reportSubject, filter: oneOf(...winLossFilters), group_by: oneOf(...summaryGroups) },
  settleSubject,
)
export type ReportSearch = SearchIn<typeof readReportSearch>

/** The markets that a report names; none: all. */
export function codesOf({ product_code }: ReportSearch): readonly string[] {
  return product_code === undefined ? [] : product_code.split(',')
}
