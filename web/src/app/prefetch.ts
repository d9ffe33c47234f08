// The data of a page, fetched together with its code: when a link to it is touched or hovered, or at the latest when it is
// opened. Nothing waits for it: a page that opens first shows its skeleton and takes the reply that is on its way.

import { queryClient } from '../lib/api/query-client.ts'
import { useSession } from '../lib/session/session-store.ts'
import type { BillFilters } from '../features/bills/bill-filters.ts'
import type { ReportSearch } from '../features/reports/report-search.ts'

function isBettor(): boolean {
  return useSession.getState().user?.level === 'member'
}

export async function prefetchMarkets(): Promise<void> {
  const { marketsQuery } = await import('../features/markets/queries.ts')
  void queryClient.prefetchQuery(marketsQuery)
}

export async function prefetchBet(product_code: string): Promise<void> {
  void prefetchMarkets()
  // Who does not bet sees no rates.
  if (!isBettor()) return
  const [{ gameConfigQuery, packagesQuery }, { lastPackageOf }] = await Promise.all([
    import('../features/bet/queries.ts'),
    import('../features/bet/market/package-memory.ts'),
  ])
  void queryClient.prefetchQuery(packagesQuery(product_code))
  const package_code = lastPackageOf(product_code)
  if (package_code !== null) void queryClient.prefetchQuery(gameConfigQuery(product_code, package_code))
}

export async function prefetchBills(filters: BillFilters): Promise<void> {
  const { billsQuery } = await import('../features/bills/queries.ts')
  void queryClient.prefetchInfiniteQuery(billsQuery(filters))
}

export async function prefetchDeletedBills(filters: BillFilters): Promise<void> {
  const { deletedBillsQuery } = await import('../features/bills/queries.ts')
  void queryClient.prefetchInfiniteQuery(deletedBillsQuery(filters))
}

export async function prefetchBill(order_id: string): Promise<void> {
  const { orderQuery } = await import('../features/orders/queries.ts')
  void queryClient.prefetchQuery(orderQuery(order_id))
}

const reportQueries = () => import('../features/reports/queries.ts')

export async function prefetchWinLoss(search: ReportSearch): Promise<void> {
  void queryClient.prefetchInfiniteQuery((await reportQueries()).periodsWinLossQuery(search))
}

export async function prefetchPeriodWinLoss(period_code: string, search: ReportSearch): Promise<void> {
  void queryClient.prefetchInfiniteQuery((await reportQueries()).periodTicketsQuery(period_code, search))
}

export async function prefetchBalance(search: ReportSearch): Promise<void> {
  const { creditQuery, statementQuery, statementSearchOf } = await reportQueries()
  void queryClient.prefetchInfiniteQuery(statementQuery(statementSearchOf(search)))
  if (search.user_id === undefined) void queryClient.prefetchQuery(creditQuery)
}

export async function prefetchSummary(search: ReportSearch): Promise<void> {
  const { summaryBody, summaryQuery, usualGroup } = await reportQueries()
  void queryClient.prefetchQuery(summaryQuery(summaryBody(search, search.group_by ?? usualGroup(isBettor()))))
}

export async function prefetchAnnouncements(): Promise<void> {
  const [{ announcementsQuery }, { noticesQuery }] = await Promise.all([
    import('../features/announcements/queries.ts'),
    import('../features/notices/queries.ts'),
  ])
  void queryClient.prefetchQuery(announcementsQuery)
  void queryClient.prefetchQuery(noticesQuery)
}

export async function prefetchLimits(): Promise<void> {
  const { limitsQuery } = await import('../features/account/queries.ts')
  void queryClient.prefetchQuery(limitsQuery)
}

export async function prefetchShares(): Promise<void> {
  const { downlineQuery } = await import('../features/oversight/queries.ts')
  void queryClient.prefetchInfiniteQuery(downlineQuery(''))
}

export async function prefetchOfficeMaintenance(): Promise<void> {
  const { maintenanceQuery } = await import('../features/office/queries.ts')
  void queryClient.prefetchQuery(maintenanceQuery)
}

export async function prefetchOfficeAnnouncements(): Promise<void> {
  const { allAnnouncementsQuery } = await import('../features/office/queries.ts')
  void queryClient.prefetchQuery(allAnnouncementsQuery)
}
