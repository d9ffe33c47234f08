import { definePage } from '../../lib/page/define-page.ts'
import { readReportSearch } from './report-search.ts'
import { isBettor } from '../../lib/user/current-user.ts'

export const reportsPage = definePage({
  path: '/reports',
  needs: 'reports.view',
  messages: ['reports'],
  search: readReportSearch,
  prefetch: async ({ search }) => [(await import('./queries.ts')).periodsWinLossQuery(search)],
  component: async () => (await import('./reports-page.tsx')).ReportsPage,
})

export const periodWinLossPage = definePage({
  path: '/reports/win-loss/$period_code',
  needs: 'reports.view',
  messages: ['reports'],
  search: readReportSearch,
  prefetch: async ({ search, params }) => [
    (await import('./queries.ts')).periodTicketsQuery(params.period_code, search),
  ],
  component: async () => (await import('./period-win-loss-page.tsx')).PeriodWinLossPage,
})

export const balancePage = definePage({
  path: '/reports/balance',
  needs: 'reports.view',
  messages: ['reports'],
  search: readReportSearch,
  prefetch: async ({ search }) => {
    const { creditQuery, statementQuery, statementSearchOf } = await import('./queries.ts')
    const statement = statementQuery(statementSearchOf(search))
    return search.user_id === undefined ? [statement, creditQuery] : [statement]
  },
  component: async () => (await import('./balance-page.tsx')).BalancePage,
})

export const summaryPage = definePage({
  path: '/reports/summary',
  needs: 'reports.view',
  messages: ['reports'],
  search: readReportSearch,
  prefetch: async ({ search }) => {
    const { summaryBody, summaryQuery, usualGroup } = await import('./queries.ts')
    return [summaryQuery(summaryBody(search, search.group_by ?? usualGroup(isBettor())))]
  },
  component: async () => (await import('./summary-page.tsx')).SummaryPage,
})

export const printReportPage = definePage({
  path: '/reports/$kind',
  needs: 'reports.view',
  messages: ['reports', 'print', 'user'],
  search: readReportSearch,
  component: async () => (await import('./print-report-page.tsx')).PrintReportPage,
})
