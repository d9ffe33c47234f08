import type { SummaryGroup } from '@megalot/contract'
import {
  getWinLossSummary,
  listChangedTickets,
  listOutstanding,
  listTypeSums,
  listWinners,
} from '@megalot/contract/browser'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { SUMMARY_PAGE, summaryBody, usualSpan } from '../../../shared/reports/queries.ts'
import { callRoute } from '../../../lib/api/http-client.ts'
import { queryKeys } from '../../../lib/api/query-keys.ts'
import { serverNowMs } from '../../../lib/clock/server-clock.ts'
import { addDays } from '../../../lib/format/calendar-day.ts'
import { dayInBangkok } from '../../../lib/format/dates.ts'
import type { DaySpan } from '../../../lib/format/day-span.ts'
import { dropUndefined } from '../../../lib/search/drop-undefined.ts'
import type { DownlineSearch } from './downline-search.ts'

const PART_SIZE = 50
const OPEN_DAYS = 30

/**
 * Days that a report covers where its address names none: this month, and for what is outstanding thirty days on either side,
 * because the month of a period may not have begun.
 */
export function downlineSpan(search: DownlineSearch): DaySpan {
  const { report, date_from, date_to } = search
  if (report !== 'outstanding' || date_from !== undefined || date_to !== undefined) return usualSpan(search)
  const today = dayInBangkok(serverNowMs())
  return { date_from: addDays(today, -OPEN_DAYS), date_to: addDays(today, OPEN_DAYS) }
}

function spanOf(search: DownlineSearch) {
  const { product_code, user_id } = search
  return { ...downlineSpan(search), ...dropUndefined({ product_code, user_id }) }
}

/** The key of a report's span: these reports share the subject of win and loss, and are refreshed with it. */
const keyOf = (report: string, span: object) => queryKeys.reports.periods({ report, ...span })

const nextPage = (last: { data: readonly unknown[] }, pages: readonly unknown[]): number | undefined =>
  last.data.length < PART_SIZE ? undefined : pages.length

/** Outstanding stakes by the users directly below. */
export const outstandingQuery = (search: DownlineSearch) =>
  infiniteQueryOptions({
    queryKey: keyOf('outstanding', spanOf(search)),
    queryFn: ({ pageParam, signal }) =>
      callRoute(listOutstanding, {
        query: { ...spanOf(search), page: String(pageParam), ipp: String(PART_SIZE) },
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: nextPage,
    placeholderData: keepPreviousData,
    refetchInterval: 30_000,
  })

/** Accepted stakes and awards by bet type and package. */
export const typesQuery = (search: DownlineSearch) =>
  queryOptions({
    queryKey: keyOf('types', spanOf(search)),
    queryFn: ({ signal }) => callRoute(listTypeSums, { query: spanOf(search), signal }),
    placeholderData: keepPreviousData,
  })

/** Tickets that have won, the greatest win first. */
export const winnersQuery = (search: DownlineSearch) =>
  infiniteQueryOptions({
    queryKey: keyOf('winners', spanOf(search)),
    queryFn: ({ pageParam, signal }) =>
      callRoute(listWinners, {
        query: { ...spanOf(search), page: String(pageParam), ipp: String(PART_SIZE) },
        signal,
      }),
    initialPageParam: 0,
    getNextPageParam: nextPage,
    placeholderData: keepPreviousData,
  })

/** Tickets that were cancelled, deleted, voided or returned, the latest change first. */
export const changesQuery = (search: DownlineSearch) =>
  infiniteQueryOptions({
    queryKey: keyOf('changed', spanOf(search)),
    queryFn: ({ pageParam: before, signal }) =>
      callRoute(listChangedTickets, {
        query: { ...spanOf(search), ...(before === undefined ? {} : { before }), ipp: String(PART_SIZE) },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_before }) => (next_before === null ? undefined : String(next_before)),
    placeholderData: keepPreviousData,
  })

/** Win and loss with the shares of the levels, by the users directly below or by period, a page at a time. */
export const summaryPagesQuery = (search: DownlineSearch, group_by: SummaryGroup) => {
  const body = summaryBody({ ...search, ...downlineSpan(search) }, group_by)
  return infiniteQueryOptions({
    queryKey: keyOf('summary', body),
    queryFn: async ({ pageParam: page, signal }) =>
      (await callRoute(getWinLossSummary, { body: { ...body, page, ipp: SUMMARY_PAGE }, signal })).data,
    initialPageParam: 0,
    getNextPageParam: ({ row_count }, pages) => (pages.length * SUMMARY_PAGE < row_count ? pages.length : undefined),
    placeholderData: keepPreviousData,
  })
}
