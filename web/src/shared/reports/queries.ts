import type { SummaryBody, SummaryGroup } from '@megalot/contract'
import {
  exportTransactions,
  exportWinLossSummary,
  getCreditInfo,
  getWinLossSummary,
  listDownline,
  listLuckiestNumbers,
  listPeriodWinLoss,
  listPeriodWinLossTickets,
  listTransactions,
  listUserTransactions,
} from '@megalot/contract/browser'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { queryKeys } from '../../lib/api/query-keys.ts'
import { dropUndefined } from '../../lib/search/drop-undefined.ts'
import { countDays, spanOf } from '../../lib/format/day-span.ts'
import type { DaySpan } from '../../lib/format/day-span.ts'
import { callRoute } from '../../lib/api/http-client.ts'
import { serverNowMs } from '../../lib/clock/server-clock.ts'
import { codesOf } from './report-search.ts'
import type { ReportSearch } from './report-search.ts'

const PART_SIZE = 50
const MAX_PARTS_ON_FOCUS = 3

/** A long list is not asked for again because the window got the focus. */
function isShort({ state }: { state: { data: { pages: readonly unknown[] } | undefined } }): boolean {
  return (state.data?.pages.length ?? 0) <= MAX_PARTS_ON_FOCUS
}

/** Out of what the remaining credit is made. */
export const creditQuery = queryOptions({
  queryKey: queryKeys.credit.all,
  queryFn: async ({ signal }) => (await callRoute(getCreditInfo, { signal })).data,
  refetchInterval: 30_000,
})

type StatementSearch = Pick<ReportSearch, 'date_from' | 'date_to' | 'product_code' | 'user_id'>

/** What a statement is about, out of what a report is about. */
export function statementSearchOf({ date_from, date_to, product_code, user_id }: ReportSearch): StatementSearch {
  return dropUndefined({ date_from, date_to, product_code, user_id })
}

/** A part of a statement, one's own or that of somebody under the caller. */
export async function fetchStatement(
  { user_id, date_from, date_to, product_code }: StatementSearch,
  before: string | undefined,
  ipp: number,
  signal?: AbortSignal,
) {
  const query = dropUndefined({ date_from, date_to, product_code, before, ipp: String(ipp) })
  return user_id === undefined
    ? callRoute(listTransactions, { query, signal })
    : callRoute(listUserTransactions, { params: { user_id }, query, signal })
}

/** The statement, newest first, a part at a time. */
export const statementQuery = (search: StatementSearch) =>
  infiniteQueryOptions({
    queryKey: queryKeys.statement.list(search),
    queryFn: ({ pageParam, signal }) => fetchStatement(search, pageParam, PART_SIZE, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_before }) => (next_before === null ? undefined : String(next_before)),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: isShort,
  })

/** What win and loss by period is about, out of what a report is about. */
export function winLossSearchOf(search: ReportSearch) {
  const { product_code, filter, user_id } = search
  return { ...usualSpan(search), ...dropUndefined({ product_code, filter, user_id }) }
}

/** Win and loss by period, newest first, a page at a time. */
export const periodsWinLossQuery = (search: ReportSearch) => {
  const about = winLossSearchOf(search)
  return infiniteQueryOptions({
    queryKey: queryKeys.reports.periods(about),
    queryFn: ({ pageParam, signal }) =>
      callRoute(listPeriodWinLoss, { query: { ...about, page: String(pageParam), ipp: String(PART_SIZE) }, signal }),
    initialPageParam: 0,
    getNextPageParam: (last, pages) => (last.data.length < PART_SIZE ? undefined : pages.length),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: isShort,
  })
}

/** The tickets of one period as a filter shows them. */
export const periodTicketsQuery = (period_code: string, { filter, user_id }: ReportSearch) =>
  infiniteQueryOptions({
    queryKey: queryKeys.reports.period(period_code, { filter, user_id }),
    queryFn: ({ pageParam: before, signal }) =>
      callRoute(listPeriodWinLossTickets, {
        params: { period_code },
        query: dropUndefined({ filter, user_id, before, ipp: String(PART_SIZE) }),
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_before }) => (next_before === null ? undefined : String(next_before)),
    placeholderData: keepPreviousData,
    refetchOnWindowFocus: isShort,
  })

/** Days that a report is about: this month where none are named. */
export function usualSpan({ date_from, date_to }: ReportSearch): DaySpan {
  const usual = spanOf('this_month', serverNowMs())
  return {
    date_from: date_from ?? (date_to !== undefined && date_to < usual.date_from ? date_to : usual.date_from),
    date_to: date_to ?? (date_from !== undefined && date_from > usual.date_to ? date_from : usual.date_to),
  }
}

/** How a summary is grouped where its address does not say: by period for a member, by people for an upline. */
export function usualGroup(isMember: boolean): SummaryGroup {
  return isMember ? 'period' : 'user'
}

export function summaryBody(search: ReportSearch, group_by: SummaryGroup): SummaryBody {
  const { user_id } = search
  return {
    ...usualSpan(search),
    product_codes: [...codesOf(search)],
    group_by,
    ...(user_id === undefined ? {} : { user_id: Number(user_id) }),
  }
}

/** Longer spans are drawn by months. */
const MAX_DAYS = 62

/** The summary over time that a chart draws, by day or by month. */
export function overTimeBody(search: ReportSearch): SummaryBody {
  return summaryBody(search, countDays(usualSpan(search)) > MAX_DAYS ? 'month' : 'day')
}

/** Rows that a summary shows at once. */
export const SUMMARY_PAGE = 100

export const summaryQuery = (body: SummaryBody, page = 0) =>
  queryOptions({
    queryKey: queryKeys.reports.summary(body, page),
    queryFn: async ({ signal }) =>
      (await callRoute(getWinLossSummary, { body: { ...body, page, ipp: SUMMARY_PAGE }, signal })).data,
    placeholderData: keepPreviousData,
  })

/** As many rows as a chart draws, of the same summary. */
export const chartQuery = (body: SummaryBody) =>
  queryOptions({
    queryKey: queryKeys.reports.chart(body),
    queryFn: async ({ signal }) =>
      (await callRoute(getWinLossSummary, { body: { ...body, page: 0, ipp: 400 }, signal })).data,
    placeholderData: keepPreviousData,
  })

export const luckiestQuery = (product_code: string | undefined) =>
  queryOptions({
    queryKey: queryKeys.reports.luckiest(product_code),
    queryFn: async ({ signal }) =>
      (await callRoute(listLuckiestNumbers, { query: dropUndefined({ product_code, ipp: '10' }), signal })).data,
  })

export async function fetchStatementFile({ date_from, date_to, product_code, user_id }: StatementSearch) {
  return (await callRoute(exportTransactions, { query: dropUndefined({ date_from, date_to, product_code, user_id }) }))
    .data
}

export async function fetchSummaryFile(body: SummaryBody) {
  return (await callRoute(exportWinLossSummary, { body })).data
}

/** People under the caller whose name holds a text. */
export const peopleQuery = (search: string) =>
  queryOptions({
    queryKey: queryKeys.downline.found(search),
    enabled: search !== '',
    queryFn: async ({ signal }) => (await callRoute(listDownline, { query: { search, ipp: '20' }, signal })).data,
    placeholderData: keepPreviousData,
  })
