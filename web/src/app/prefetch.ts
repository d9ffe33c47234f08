// The data of a page, fetched together with its code: when a link to it is touched or hovered, or at the latest when it is
// opened. Nothing waits for it: a page that opens first shows its skeleton and takes the reply that is on its way.

import { queryClient } from '../lib/api/query-client.ts'
import { useSession } from '../lib/session/session-store.ts'
import { readAwardSearch, readStatisticsSearch } from '../features/awards/award-search.ts'
import { readBillFilters } from '../features/bills/bill-filters.ts'
import { readReportSearch } from '../features/reports/report-search.ts'

/** Where a page is: the parts of its address. */
export interface Place {
  search: Record<string, unknown>
  params: Readonly<Record<string, string | undefined>>
}

function isBettor(): boolean {
  return useSession.getState().user?.level === 'member'
}

async function prefetchMarkets(): Promise<void> {
  const { marketsQuery } = await import('../features/markets/queries.ts')
  void queryClient.prefetchQuery(marketsQuery)
}

async function prefetchBet({ params: { product_code = '' } }: Place): Promise<void> {
  void prefetchMarkets()
  // Who does not bet sees no rates.
  if (!isBettor()) return
  const { prefetchRates } = await import('../features/bet/market/prefetch-rates.ts')
  await prefetchRates(product_code)
}

async function prefetchBills({ search }: Place): Promise<void> {
  const { billsQuery } = await import('../features/bills/queries.ts')
  void queryClient.prefetchInfiniteQuery(billsQuery(readBillFilters(search)))
}

async function prefetchDeletedBills({ search }: Place): Promise<void> {
  const { deletedBillsQuery } = await import('../features/bills/queries.ts')
  void queryClient.prefetchInfiniteQuery(deletedBillsQuery(readBillFilters(search)))
}

async function prefetchBill({ params: { order_id = '' } }: Place): Promise<void> {
  const { orderQuery } = await import('../features/orders/queries.ts')
  void queryClient.prefetchQuery(orderQuery(order_id))
}

const reportQueries = () => import('../features/reports/queries.ts')

async function prefetchWinLoss({ search }: Place): Promise<void> {
  void queryClient.prefetchInfiniteQuery((await reportQueries()).periodsWinLossQuery(readReportSearch(search)))
}

async function prefetchPeriodWinLoss({ search, params: { period_code = '' } }: Place): Promise<void> {
  void queryClient.prefetchInfiniteQuery(
    (await reportQueries()).periodTicketsQuery(period_code, readReportSearch(search)),
  )
}

async function prefetchBalance({ search: raw }: Place): Promise<void> {
  const search = readReportSearch(raw)
  const { creditQuery, statementQuery, statementSearchOf } = await reportQueries()
  void queryClient.prefetchInfiniteQuery(statementQuery(statementSearchOf(search)))
  if (search.user_id === undefined) void queryClient.prefetchQuery(creditQuery)
}

async function prefetchSummary({ search: raw }: Place): Promise<void> {
  const search = readReportSearch(raw)
  const { summaryBody, summaryQuery, usualGroup } = await reportQueries()
  void queryClient.prefetchQuery(summaryQuery(summaryBody(search, search.group_by ?? usualGroup(isBettor()))))
}

async function prefetchAwards({ search }: Place): Promise<void> {
  void prefetchMarkets()
  const { marketAwardsQuery } = await import('../features/awards/queries.ts')
  void queryClient.prefetchInfiniteQuery(marketAwardsQuery(readAwardSearch(search).date))
}

async function prefetchStatistics({ search }: Place): Promise<void> {
  const [{ marketsQuery }, { statisticsQuery, usualMarket }] = await Promise.all([
    import('../features/markets/queries.ts'),
    import('../features/awards/queries.ts'),
  ])
  const { product_code, draws } = readStatisticsSearch(search)
  const shown = product_code ?? usualMarket(await queryClient.ensureQueryData(marketsQuery))?.product_code
  if (shown !== undefined) void queryClient.prefetchQuery(statisticsQuery(shown, draws))
}

async function prefetchAnnouncements(): Promise<void> {
  const [{ announcementsQuery }, { noticesQuery }] = await Promise.all([
    import('../features/announcements/queries.ts'),
    import('../features/notices/queries.ts'),
  ])
  void queryClient.prefetchQuery(announcementsQuery)
  void queryClient.prefetchQuery(noticesQuery)
}

async function prefetchLimits(): Promise<void> {
  const { limitsQuery } = await import('../features/account/queries.ts')
  void queryClient.prefetchQuery(limitsQuery)
}

/** What each page requests, by the name that its route gives. */
export const prefetchers = {
  markets: prefetchMarkets,
  bet: prefetchBet,
  bills: prefetchBills,
  deletedBills: prefetchDeletedBills,
  bill: prefetchBill,
  winLoss: prefetchWinLoss,
  periodWinLoss: prefetchPeriodWinLoss,
  balance: prefetchBalance,
  summary: prefetchSummary,
  awards: prefetchAwards,
  statistics: prefetchStatistics,
  announcements: prefetchAnnouncements,
  limits: prefetchLimits,
} as const satisfies Readonly<Record<string, (place: Place) => Promise<void>>>

export type Prefetcher = keyof typeof prefetchers
