import {
  Outlet,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import { CONSOLE_BASE } from '@megalot/contract'
import { readAwardSearch, readStatisticsSearch } from '../features/awards/award-search.ts'
import { readBillFilters } from '../features/bills/bill-filters.ts'
import { readReportSearch } from '../features/reports/report-search.ts'
import { lazyPage } from '../lib/page/lazy-page.ts'
import { readGridSearch } from './grid-search.ts'
import { parseSearch } from '../lib/search/parse-search.ts'
import { validateSearch } from '../lib/search/validate-search.ts'
import { useMaintenance } from '../lib/session/maintenance-store.ts'
import { useSession } from '../lib/session/session-store.ts'
import { PageFailure } from '../ui/page-failure.tsx'
import { leaveFor, requireOperator, requirePage, requirePermission } from './guards.ts'
import { readDownlineSearch } from './downline/downline-search.ts'
import {
  readApprovalsSearch,
  readAuditSearch,
  readCalendarSearch,
  readLimitRulesSearch,
  readPeopleSearch,
  readProfileSearch,
  readQuotasSearch,
  readResultsSearch,
  readRiskSearch,
  readSessionsSearch,
  readSignalsSearch,
  readStaffSearch,
  readStandingNumbersSearch,
  readTermsSearch,
  readTicketsSearch,
  readTodaySearch,
} from './page-search.ts'
import { consolePaths, formerOfficePath, memberPaths } from './paths.ts'
import { ConsoleSkeleton } from './shell/console-skeleton.tsx'

const rootRoute = createRootRoute({ component: Outlet, errorComponent: PageFailure })

const notices = () => import('./shell/console-notices.tsx')

const frame = {
  pendingComponent: ConsoleSkeleton,
  pendingMs: 0,
  component: lazyPage(['shell', 'console', 'grid'], () => import('./shell/console-layout.tsx'), 'ConsoleLayout'),
}

/** The frame of every page, under the same id as the member app's, so that shared pages find their route in both. */
const mainRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'main',
  beforeLoad: requirePage,
  ...frame,
})

/** The same frame around the notice that there is no page: what has a page is below `mainRoute`, and closed until it belongs to a screen. */
const nowhereRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'nowhere',
  beforeLoad: requireOperator,
  ...frame,
})

const membersRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: consolePaths.members,
  component: lazyPage('entrance', notices, 'MembersNotice'),
})

/** Nobody is signed in here yet. */
const setupRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: consolePaths.setup,
  component: lazyPage(
    ['setup', 'credentials', 'account', 'factor'],
    () => import('./setup/setup-page.tsx'),
    'SetupPage',
  ),
})

const refusedRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: consolePaths.refused,
  component: lazyPage('entrance', notices, 'RefusedNotice'),
})

const anywhereElseRoute = createRoute({
  getParentRoute: () => nowhereRoute,
  path: '$',
  component: lazyPage('entrance', notices, 'NotFoundNotice'),
})

const periodsRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: consolePaths.periods,
  validateSearch: validateSearch(readGridSearch),
  component: lazyPage('periods', () => import('./periods-page.tsx'), 'PeriodsPage'),
})

const todayRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: consolePaths.today,
  validateSearch: validateSearch(readTodaySearch),
  component: lazyPage(['day', 'oversight'], () => import('./today/today-page.tsx'), 'TodayPage'),
})

const calendarRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: consolePaths.calendar,
  validateSearch: validateSearch(readCalendarSearch),
  component: lazyPage(
    ['calendar', 'changes', 'oversight', 'lotto'],
    () => import('./calendar/calendar-page.tsx'),
    'CalendarPage',
  ),
})

const riskRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: consolePaths.risk,
  validateSearch: validateSearch(readRiskSearch),
  component: lazyPage('risk', () => import('./risk/risk-page.tsx'), 'RiskPage'),
})

const signalsRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: consolePaths.signals,
  validateSearch: validateSearch(readSignalsSearch),
  component: lazyPage(['signals', 'audit'], () => import('./signals/signals-page.tsx'), 'SignalsPage'),
})

const marketRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: consolePaths.market,
  component: lazyPage('bet', () => import('../features/bet/market-page.tsx'), 'MarketPage'),
})

const peopleRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: consolePaths.people,
  validateSearch: validateSearch(readPeopleSearch),
  component: lazyPage('people', () => import('./people/people-page.tsx'), 'PeoplePage'),
})

const newPersonRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: consolePaths.newPerson,
  beforeLoad: requirePermission('people.do'),
  component: lazyPage('people', () => import('./people/new-person-page.tsx'), 'NewPersonPage'),
})

const agentCodesRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: consolePaths.agentCodes,
  component: lazyPage(['people', 'oversight'], () => import('./people/codes-page.tsx'), 'CodesPage'),
})

const personRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: consolePaths.person,
  validateSearch: validateSearch(readProfileSearch),
  component: lazyPage(
    ['people', 'oversight', 'audit', 'changes', 'staff'],
    () => import('./people/profile-page.tsx'),
    'ProfilePage',
  ),
})

const approvalsRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: consolePaths.approvals,
  validateSearch: validateSearch(readApprovalsSearch),
  component: lazyPage(
    ['approvals', 'audit', 'calendar', 'changes', 'staff', 'day', 'reports'],
    () => import('./approvals/approvals-page.tsx'),
    'ApprovalsPage',
  ),
})

const termsRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: consolePaths.terms,
  validateSearch: validateSearch(readTermsSearch),
  component: lazyPage(['terms', 'audit', 'changes', 'staff'], () => import('./terms/terms-page.tsx'), 'TermsPage'),
})

const numbersRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: consolePaths.numbers,
  component: lazyPage('numbers', () => import('./numbers/numbers-page.tsx'), 'NumbersPage'),
})

const standingNumbersRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: consolePaths.standingNumbers,
  validateSearch: validateSearch(readStandingNumbersSearch),
  component: lazyPage('numbers', () => import('./numbers/standing-numbers-page.tsx'), 'StandingNumbersPage'),
})

const limitRulesRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: consolePaths.limitRules,
  validateSearch: validateSearch(readLimitRulesSearch),
  component: lazyPage(['numbers', 'oversight'], () => import('./numbers/rule-history-page.tsx'), 'RuleHistoryPage'),
})

const quotasRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: consolePaths.quotas,
  validateSearch: validateSearch(readQuotasSearch),
  component: lazyPage('numbers', () => import('./numbers/quotas-page.tsx'), 'QuotasPage'),
})

const openMarketsRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: consolePaths.openMarkets,
  beforeLoad: requirePermission('periods.do'),
  component: lazyPage(['setup', 'numbers'], () => import('./setup/open-markets-page.tsx'), 'OpenMarketsPage'),
})

const ticketsRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: consolePaths.tickets,
  validateSearch: validateSearch(readTicketsSearch),
  component: lazyPage('oversight', () => import('./tickets/tickets-page.tsx'), 'TicketsPage'),
})

const billsPages = () => import('../features/bills/bills-page.tsx')

const billsRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: consolePaths.bills,
  validateSearch: validateSearch(readBillFilters),
  component: lazyPage('bills', billsPages, 'BillsPage'),
})

const deletedBillsRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: consolePaths.deletedBills,
  validateSearch: validateSearch(readBillFilters),
  component: lazyPage('bills', billsPages, 'DeletedBillsPage'),
})

const billRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: consolePaths.bill,
  component: lazyPage(['bills', 'decision', 'oversight'], () => import('./tickets/ticket-page.tsx'), 'TicketPage'),
})

const reportsRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: consolePaths.reports,
  validateSearch: validateSearch(readReportSearch),
  component: lazyPage('reports', () => import('../features/reports/reports-page.tsx'), 'ReportsPage'),
})

const downlineRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: consolePaths.downline,
  validateSearch: validateSearch(readDownlineSearch),
  component: lazyPage(['downline', 'reports'], () => import('./downline/downline-page.tsx'), 'DownlinePage'),
})

const winLossRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: consolePaths.winLoss,
  validateSearch: validateSearch(readReportSearch),
  component: lazyPage('reports', () => import('../features/reports/period-win-loss-page.tsx'), 'PeriodWinLossPage'),
})

const balanceRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: consolePaths.balance,
  validateSearch: validateSearch(readReportSearch),
  component: lazyPage('reports', () => import('../features/reports/balance-page.tsx'), 'BalancePage'),
})

const summaryRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: consolePaths.summary,
  validateSearch: validateSearch(readReportSearch),
  component: lazyPage('reports', () => import('../features/reports/summary-page.tsx'), 'SummaryPage'),
})

const resultsRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: consolePaths.results,
  validateSearch: validateSearch(readResultsSearch),
  component: lazyPage('oversight', () => import('../features/oversight/award-entry-page.tsx'), 'AwardEntryPage'),
})

const awardsRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: consolePaths.awards,
  validateSearch: validateSearch(readAwardSearch),
  component: lazyPage('awards', () => import('../features/awards/awards-page.tsx'), 'AwardsPage'),
})

const statisticsRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: consolePaths.statistics,
  validateSearch: validateSearch(readStatisticsSearch),
  component: lazyPage('awards', () => import('../features/awards/statistics-page.tsx'), 'StatisticsPage'),
})

const messagesRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: consolePaths.messages,
  component: lazyPage(
    'office',
    () => import('../features/office/office-announcements-page.tsx'),
    'OfficeAnnouncementsPage',
  ),
})

const announcementsRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: consolePaths.announcements,
  component: lazyPage(
    ['announcements', 'news'],
    () => import('../features/announcements/announcements-page.tsx'),
    'AnnouncementsPage',
  ),
})

const maintenanceRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: consolePaths.maintenance,
  component: lazyPage(
    'office',
    () => import('../features/office/office-maintenance-page.tsx'),
    'OfficeMaintenancePage',
  ),
})

const manualRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: consolePaths.manual,
  component: lazyPage('manual', () => import('../features/manual/manual-page.tsx'), 'ManualPage'),
})

const importHelpRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: consolePaths.importHelp,
  component: lazyPage('manual', () => import('../features/manual/import-help-page.tsx'), 'ImportHelpPage'),
})

const guideRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: consolePaths.guide,
  component: lazyPage(['guide', 'palette'], () => import('./guide/guide-page.tsx'), 'GuidePage'),
})

const staffRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: consolePaths.staff,
  validateSearch: validateSearch(readStaffSearch),
  component: lazyPage('staff', () => import('./staff/staff-page.tsx'), 'StaffPage'),
})

const auditRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: consolePaths.audit,
  validateSearch: validateSearch(readAuditSearch),
  component: lazyPage(['audit', 'staff'], () => import('./audit/audit-page.tsx'), 'AuditPage'),
})

const readinessRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: consolePaths.readiness,
  component: lazyPage(['readiness', 'setup'], () => import('./readiness/readiness-page.tsx'), 'ReadinessPage'),
})

const securityRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: consolePaths.security,
  component: lazyPage('factor', () => import('../features/second-factor/factors-page.tsx'), 'FactorsPage'),
})

const sessionsRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: consolePaths.sessions,
  validateSearch: validateSearch(readSessionsSearch),
  component: lazyPage(['sessions', 'oversight'], () => import('./sessions/sessions-page.tsx'), 'SessionsPage'),
})

const passwordRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: consolePaths.password,
  component: lazyPage('account', () => import('../features/account/password-page.tsx'), 'PasswordPage'),
})

const ownDataRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: consolePaths.ownData,
  component: lazyPage('account', () => import('../features/account/own-data-page.tsx'), 'OwnDataPage'),
})

/** Pages of the office had other names as long as they were in the member app. */
const formerOfficeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/office/$page',
  beforeLoad: ({ params, location }) => {
    throw redirect({ href: formerOfficePath(params.page) + location.searchStr, replace: true })
  },
})

/** What is meant for paper stands alone, without the frame. */
const printRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: consolePaths.print,
  beforeLoad: requirePage,
  component: lazyRouteComponent(() => import('../features/print/print-layout.tsx'), 'PrintLayout'),
})

const printIndexRoute = createRoute({
  getParentRoute: () => printRoute,
  path: '/',
  component: lazyPage('print', () => import('../features/print/print-index-page.tsx'), 'PrintIndexPage'),
})

const printBillRoute = createRoute({
  getParentRoute: () => printRoute,
  path: '/bills/$order_id',
  component: lazyPage(['bills', 'print'], () => import('../features/bills/print-bill-page.tsx'), 'PrintBillPage'),
})

const printReportRoute = createRoute({
  getParentRoute: () => printRoute,
  path: '/reports/$kind',
  validateSearch: validateSearch(readReportSearch),
  component: lazyPage(
    ['reports', 'print'],
    () => import('../features/reports/print-report-page.tsx'),
    'PrintReportPage',
  ),
})

const printDownlineRoute = createRoute({
  getParentRoute: () => printRoute,
  path: '/downline',
  beforeLoad: requirePermission('reports.view'),
  validateSearch: validateSearch(readDownlineSearch),
  component: lazyPage(
    ['downline', 'reports', 'print'],
    () => import('./downline/print-downline-page.tsx'),
    'PrintDownlinePage',
  ),
})

export const consoleRouter = createRouter({
  basepath: CONSOLE_BASE,
  routeTree: rootRoute.addChildren([
    membersRoute,
    setupRoute,
    formerOfficeRoute,
    nowhereRoute.addChildren([anywhereElseRoute]),
    mainRoute.addChildren([
      refusedRoute,
      periodsRoute,
      todayRoute,
      calendarRoute,
      riskRoute,
      signalsRoute,
      marketRoute,
      peopleRoute,
      newPersonRoute,
      agentCodesRoute,
      personRoute,
      approvalsRoute,
      termsRoute,
      numbersRoute,
      standingNumbersRoute,
      limitRulesRoute,
      quotasRoute,
      openMarketsRoute,
      ticketsRoute,
      billsRoute,
      deletedBillsRoute,
      billRoute,
      reportsRoute,
      downlineRoute,
      winLossRoute,
      balanceRoute,
      summaryRoute,
      resultsRoute,
      awardsRoute,
      statisticsRoute,
      messagesRoute,
      announcementsRoute,
      maintenanceRoute,
      manualRoute,
      importHelpRoute,
      guideRoute,
      staffRoute,
      auditRoute,
      readinessRoute,
      securityRoute,
      sessionsRoute,
      passwordRoute,
      ownDataRoute,
    ]),
    printRoute.addChildren([printIndexRoute, printBillRoute, printReportRoute, printDownlineRoute]),
  ]),
  parseSearch,
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  defaultPendingMs: 300,
  defaultPendingMinMs: 0,
  defaultErrorComponent: PageFailure,
  scrollRestoration: true,
})

// Whatever ends the session leads to the log-in page; only who was logged out without asking for it is brought back here.
useSession.subscribe((now, before) => {
  if (before.session_token === null || now.session_token !== null) return
  const { publicHref } = consoleRouter.state.location
  void leaveFor(memberPaths.login, now.leave_reason === null ? null : publicHref)
})

// A call answered that the application is under maintenance: there is nothing else to show meanwhile.
useMaintenance.subscribe((now, before) => {
  if (now.activeMaintenance === null || before.activeMaintenance !== null) return
  void leaveFor(memberPaths.maintenance, consoleRouter.state.location.publicHref)
})
