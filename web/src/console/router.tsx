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
import { loadArea } from '../lib/i18n/language-store.ts'
import { readGridSearch } from './grid-search.ts'
import { validateSearch } from '../lib/search/validate-search.ts'
import { useMaintenance } from '../lib/session/maintenance-store.ts'
import { useSession } from '../lib/session/session-store.ts'
import type { Area } from '../locales/catalogue.ts'
import { PageFailure } from '../ui/page-failure.tsx'
import { leaveFor, requireOfficePermission, requireOperator, requirePermission } from './guards.ts'
import { readLineSearch } from './line/line-search.ts'
import { permissionsOfApprovals, permissionsOfDay } from './navigation.ts'
import {
  readApprovalsSearch,
  readAuditSearch,
  readCalendarSearch,
  readNumberListsSearch,
  readPeopleSearch,
  readProfileSearch,
  readQuotasSearch,
  readResultsSearch,
  readRiskSearch,
  readSessionsSearch,
  readStaffSearch,
  readStandingNumbersSearch,
  readTermsSearch,
  readTicketsSearch,
  readTodaySearch,
} from './page-search.ts'
import { consolePaths, formerOfficePath, memberPaths } from './paths.ts'
import { ConsoleSkeleton } from './shell/console-skeleton.tsx'

/** A page is its code and its texts: both are fetched at once, and shown together. */
function lazyPage<Module extends Record<string, unknown>, Name extends keyof Module & string>(
  areas: Area | readonly Area[],
  load: () => Promise<Module>,
  name: Name,
) {
  return lazyRouteComponent(async () => {
    const [module] = await Promise.all([load(), ...[areas].flat().map((area) => loadArea(area))])
    return module
  }, name)
}

const rootRoute = createRootRoute({ component: Outlet, errorComponent: PageFailure })

const notices = () => import('./shell/console-notices.tsx')

/** The frame of every page, under the same id as the member app's, so that shared pages find their route in both. */
const mainRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'main',
  beforeLoad: requireOperator,
  pendingComponent: ConsoleSkeleton,
  pendingMs: 0,
  component: lazyPage(['shell', 'console', 'grid'], () => import('./shell/console-layout.tsx'), 'ConsoleLayout'),
})

const membersRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: consolePaths.members,
  component: lazyPage('console', notices, 'MembersNotice'),
})

const refusedRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: consolePaths.refused,
  component: lazyPage('console', notices, 'RefusedNotice'),
})

const anywhereElseRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: '$',
  component: lazyPage('console', notices, 'NotFoundNotice'),
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
  beforeLoad: requirePermission(...permissionsOfDay),
  validateSearch: validateSearch(readTodaySearch),
  component: lazyPage(['day', 'oversight'], () => import('./today/today-page.tsx'), 'TodayPage'),
})

const calendarRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: consolePaths.calendar,
  beforeLoad: requirePermission(...permissionsOfDay),
  validateSearch: validateSearch(readCalendarSearch),
  component: lazyPage(['calendar', 'oversight', 'lotto'], () => import('./calendar/calendar-page.tsx'), 'CalendarPage'),
})

const riskRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: consolePaths.risk,
  beforeLoad: requirePermission('risk.view'),
  validateSearch: validateSearch(readRiskSearch),
  component: lazyPage('risk', () => import('./risk/risk-page.tsx'), 'RiskPage'),
})

const marketRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: consolePaths.market,
  component: lazyPage('bet', () => import('../features/bet/market-page.tsx'), 'MarketPage'),
})

const peopleRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: consolePaths.people,
  beforeLoad: requirePermission('people.view'),
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
  beforeLoad: requirePermission('people.view'),
  component: lazyPage(['people', 'oversight'], () => import('./people/codes-page.tsx'), 'CodesPage'),
})

const personRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: consolePaths.person,
  beforeLoad: requirePermission('people.view'),
  validateSearch: validateSearch(readProfileSearch),
  component: lazyPage(
    ['people', 'oversight', 'audit', 'staff'],
    () => import('./people/profile-page.tsx'),
    'ProfilePage',
  ),
})

const approvalsRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: consolePaths.approvals,
  beforeLoad: requireOfficePermission(...permissionsOfApprovals),
  validateSearch: validateSearch(readApprovalsSearch),
  component: lazyPage(
    ['approvals', 'audit', 'calendar', 'staff', 'day'],
    () => import('./approvals/approvals-page.tsx'),
    'ApprovalsPage',
  ),
})

const termsRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: consolePaths.terms,
  beforeLoad: requireOfficePermission('terms.view'),
  validateSearch: validateSearch(readTermsSearch),
  component: lazyPage(['terms', 'audit', 'staff'], () => import('./terms/terms-page.tsx'), 'TermsPage'),
})

const numbersRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: consolePaths.numbers,
  beforeLoad: requireOfficePermission('risk.view'),
  component: lazyPage('numbers', () => import('./numbers/numbers-page.tsx'), 'NumbersPage'),
})

const standingNumbersRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: consolePaths.standingNumbers,
  beforeLoad: requireOfficePermission('risk.view'),
  validateSearch: validateSearch(readStandingNumbersSearch),
  component: lazyPage('numbers', () => import('./numbers/standing-numbers-page.tsx'), 'StandingNumbersPage'),
})

const numberListsRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: consolePaths.numberLists,
  beforeLoad: requireOfficePermission('risk.view'),
  validateSearch: validateSearch(readNumberListsSearch),
  component: lazyPage(['numbers', 'oversight'], () => import('./numbers/list-history-page.tsx'), 'ListHistoryPage'),
})

const quotasRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: consolePaths.quotas,
  beforeLoad: requireOfficePermission('risk.view'),
  validateSearch: validateSearch(readQuotasSearch),
  component: lazyPage('numbers', () => import('./numbers/quotas-page.tsx'), 'QuotasPage'),
})

const ticketsRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: consolePaths.tickets,
  beforeLoad: requirePermission('tickets.view'),
  validateSearch: validateSearch(readTicketsSearch),
  component: lazyPage('oversight', () => import('./tickets/tickets-page.tsx'), 'TicketsPage'),
})

const billsPages = () => import('../features/bills/bills-page.tsx')

const billsRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: consolePaths.bills,
  beforeLoad: requirePermission('tickets.view'),
  validateSearch: validateSearch(readBillFilters),
  component: lazyPage('bills', billsPages, 'BillsPage'),
})

const deletedBillsRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: consolePaths.deletedBills,
  beforeLoad: requirePermission('tickets.view'),
  validateSearch: validateSearch(readBillFilters),
  component: lazyPage('bills', billsPages, 'DeletedBillsPage'),
})

const billRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: consolePaths.bill,
  beforeLoad: requirePermission('tickets.view'),
  component: lazyPage(['bills', 'decision'], () => import('../features/bills/bill-page.tsx'), 'BillPage'),
})

const reportsRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: consolePaths.reports,
  beforeLoad: requirePermission('reports.view'),
  validateSearch: validateSearch(readReportSearch),
  component: lazyPage('reports', () => import('../features/reports/reports-page.tsx'), 'ReportsPage'),
})

const lineRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: consolePaths.line,
  beforeLoad: requirePermission('reports.view'),
  validateSearch: validateSearch(readLineSearch),
  component: lazyPage(['line', 'reports'], () => import('./line/line-page.tsx'), 'LinePage'),
})

const winLossRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: consolePaths.winLoss,
  beforeLoad: requirePermission('reports.view'),
  validateSearch: validateSearch(readReportSearch),
  component: lazyPage('reports', () => import('../features/reports/period-win-loss-page.tsx'), 'PeriodWinLossPage'),
})

const balanceRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: consolePaths.balance,
  beforeLoad: requirePermission('reports.view'),
  validateSearch: validateSearch(readReportSearch),
  component: lazyPage('reports', () => import('../features/reports/balance-page.tsx'), 'BalancePage'),
})

const summaryRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: consolePaths.summary,
  beforeLoad: requirePermission('reports.view'),
  validateSearch: validateSearch(readReportSearch),
  component: lazyPage('reports', () => import('../features/reports/summary-page.tsx'), 'SummaryPage'),
})

const resultsRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: consolePaths.results,
  beforeLoad: requirePermission('results.do'),
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
  beforeLoad: requirePermission('messages.do'),
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
  beforeLoad: requirePermission('maintenance.do'),
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
  component: lazyPage('guide', () => import('./guide/guide-page.tsx'), 'GuidePage'),
})

const staffRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: consolePaths.staff,
  beforeLoad: requirePermission('staff.view'),
  validateSearch: validateSearch(readStaffSearch),
  component: lazyPage('staff', () => import('./staff/staff-page.tsx'), 'StaffPage'),
})

const auditRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: consolePaths.audit,
  beforeLoad: requirePermission('audit.view'),
  validateSearch: validateSearch(readAuditSearch),
  component: lazyPage(['audit', 'staff'], () => import('./audit/audit-page.tsx'), 'AuditPage'),
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
  beforeLoad: requireOperator,
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

const printLineRoute = createRoute({
  getParentRoute: () => printRoute,
  path: '/line',
  beforeLoad: requirePermission('reports.view'),
  validateSearch: validateSearch(readLineSearch),
  component: lazyPage(['line', 'reports', 'print'], () => import('./line/print-line-page.tsx'), 'PrintLinePage'),
})

export const consoleRouter = createRouter({
  basepath: CONSOLE_BASE,
  routeTree: rootRoute.addChildren([
    membersRoute,
    formerOfficeRoute,
    mainRoute.addChildren([
      refusedRoute,
      anywhereElseRoute,
      periodsRoute,
      todayRoute,
      calendarRoute,
      riskRoute,
      marketRoute,
      peopleRoute,
      newPersonRoute,
      agentCodesRoute,
      personRoute,
      approvalsRoute,
      termsRoute,
      numbersRoute,
      standingNumbersRoute,
      numberListsRoute,
      quotasRoute,
      ticketsRoute,
      billsRoute,
      deletedBillsRoute,
      billRoute,
      reportsRoute,
      lineRoute,
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
      securityRoute,
      sessionsRoute,
      passwordRoute,
    ]),
    printRoute.addChildren([printIndexRoute, printBillRoute, printReportRoute, printLineRoute]),
  ]),
  defaultPreload: 'intent',
  defaultPreloadStaleTime: 0,
  defaultPendingMs: 300,
  defaultPendingMinMs: 0,
  defaultErrorComponent: PageFailure,
  scrollRestoration: true,
})

// Whatever ends the session leads to the log-in page; only who was logged out without asking for it is brought back here.
useSession.subscribe((now, before) => {
  if (before.session_id === null || now.session_id !== null) return
  const { publicHref } = consoleRouter.state.location
  void leaveFor(memberPaths.login, now.leave_reason === null ? null : publicHref)
})

// A call answered that the application is under maintenance: there is nothing else to show meanwhile.
useMaintenance.subscribe((now, before) => {
  if (now.activeMaintenance === null || before.activeMaintenance !== null) return
  void leaveFor(memberPaths.maintenance, consoleRouter.state.location.publicHref)
})
