import {
  Outlet,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import { readAwardSearch, readStatisticsSearch } from '../features/awards/award-search.ts'
import { readBillFilters } from '../features/bills/bill-filters.ts'
import { readReportSearch } from '../features/reports/report-search.ts'
import { lazyPage } from '../lib/page/lazy-page.ts'
import { parseSearch } from '../lib/search/parse-search.ts'
import { validateSearch } from '../lib/search/validate-search.ts'
import { useMaintenance } from '../lib/session/maintenance-store.ts'
import { useSession } from '../lib/session/session-store.ts'
import { LEAVE_DELAY_MS } from '../lib/user/current-user.ts'
import { PageFailure } from '../ui/page-failure.tsx'
import { openConsole, readAgentCode, readBack, requireSession, requireUser, requireVisitor } from './guards.ts'
import { NotFoundPage } from './not-found-page.tsx'
import { isAuthPath, isReturnPath, paths } from './paths.ts'
import type { Place, Prefetcher } from './prefetch.ts'
import { ShellSkeleton } from './shell-skeleton.tsx'

/** What a prefetcher reads of the context that the router gives a loader. */
interface LoaderContext {
  location: Pick<Place, 'search'>
  params: Place['params']
}

/** A route's loader: starts requests that nothing waits for. What cannot be fetched now the page fetches itself. */
function prefetch(page: Prefetcher) {
  // A declared type of the context would become the type of the route's parameters.
  return (context: unknown): void => {
    const { location, params } = context as LoaderContext
    import('./prefetch.ts')
      .then(({ prefetchers }) => prefetchers[page]({ search: location.search, params }))
      .catch(() => {})
  }
}

const rootRoute = createRootRoute({ component: Outlet, errorComponent: PageFailure, notFoundComponent: NotFoundPage })

const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: paths.login,
  validateSearch: validateSearch(readBack),
  beforeLoad: requireVisitor,
  component: lazyPage('auth', () => import('../features/auth/login-page.tsx'), 'LoginPage'),
})

const logInStepsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: paths.logInSteps,
  validateSearch: validateSearch(readBack),
  beforeLoad: requireSession,
  loader: async () => (await import('./log-in-steps-page.tsx')).loadSteps(),
  component: lazyPage(['factor', 'account'], () => import('./log-in-steps-page.tsx'), 'LogInStepsPage'),
})

/** The area by itself begins with the log-in. */
const authRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: paths.auth,
  beforeLoad: () => {
    throw redirect({ to: paths.login, replace: true })
  },
})

const registerRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: paths.register,
  validateSearch: validateSearch(readAgentCode),
  beforeLoad: requireVisitor,
  component: lazyPage(
    ['auth', 'credentials', 'account'],
    () => import('../features/auth/register-page.tsx'),
    'RegisterPage',
  ),
})

const forgotRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: paths.forgotPassword,
  component: lazyPage('credentials', () => import('../features/auth/forgot-page.tsx'), 'ForgotPage'),
})

const resetRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: paths.resetPassword,
  component: lazyPage(['credentials', 'account'], () => import('../features/auth/reset-page.tsx'), 'ResetPage'),
})

const verifyEmailRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: paths.verifyEmail,
  component: lazyPage('credentials', () => import('../features/auth/verify-email-page.tsx'), 'VerifyEmailPage'),
})

const maintenanceRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: paths.maintenance,
  validateSearch: validateSearch(readBack),
  component: lazyPage('away', () => import('./maintenance-page.tsx'), 'MaintenancePage'),
})

const offlineRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: paths.offline,
  validateSearch: validateSearch(readBack),
  component: lazyPage('away', () => import('./offline-page.tsx'), 'OfflinePage'),
})

const notFoundRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: paths.notFound,
  component: NotFoundPage,
})

const anywhereElseRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '$',
  beforeLoad: ({ location }) => {
    throw redirect({ to: paths.notFound, replace: true, state: { mistyped: location.href } })
  },
})

const mainRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'main',
  beforeLoad: requireUser,
  // At once, and no longer than it must: by default what is pending stays for half a second once it shows.
  pendingComponent: ShellSkeleton,
  pendingMs: 0,
  component: lazyPage('shell', () => import('./shell/main-layout.tsx'), 'MainLayout'),
})

const lottoRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: paths.lotto,
  loader: prefetch('markets'),
  component: lazyPage('lotto', () => import('../features/lotto/lotto-page.tsx'), 'LottoPage'),
})

const betRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: paths.bet,
  validateSearch: validateSearch(({ view, period }): { view?: 'latest'; period?: string } => ({
    ...(view === 'latest' ? { view } : {}),
    ...(typeof period === 'string' ? { period } : {}),
  })),
  loader: prefetch('bet'),
  component: lazyPage(['bet', 'entry'], () => import('../features/bet/bet-page.tsx'), 'BetPage'),
})

const billsPages = () => import('../features/bills/bills-page.tsx')

const billsRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: paths.bills,
  validateSearch: validateSearch(readBillFilters),
  loader: prefetch('bills'),
  component: lazyPage('bills', billsPages, 'BillsPage'),
})

const deletedBillsRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: paths.deletedBills,
  validateSearch: validateSearch(readBillFilters),
  loader: prefetch('deletedBills'),
  component: lazyPage('bills', billsPages, 'DeletedBillsPage'),
})

const billRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: paths.bill,
  loader: prefetch('bill'),
  component: lazyPage(['bills', 'decision'], () => import('../features/bills/bill-page.tsx'), 'BillPage'),
})

const reportsRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: paths.reports,
  validateSearch: validateSearch(readReportSearch),
  loader: prefetch('winLoss'),
  component: lazyPage('reports', () => import('../features/reports/reports-page.tsx'), 'ReportsPage'),
})

const winLossRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: paths.winLoss,
  validateSearch: validateSearch(readReportSearch),
  loader: prefetch('periodWinLoss'),
  component: lazyPage('reports', () => import('../features/reports/period-win-loss-page.tsx'), 'PeriodWinLossPage'),
})

const balanceRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: paths.balance,
  validateSearch: validateSearch(readReportSearch),
  loader: prefetch('balance'),
  component: lazyPage('reports', () => import('../features/reports/balance-page.tsx'), 'BalancePage'),
})

const summaryRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: paths.summary,
  validateSearch: validateSearch(readReportSearch),
  loader: prefetch('summary'),
  component: lazyPage('reports', () => import('../features/reports/summary-page.tsx'), 'SummaryPage'),
})

const awardsRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: paths.awards,
  validateSearch: validateSearch(readAwardSearch),
  loader: prefetch('awards'),
  component: lazyPage('awards', () => import('../features/awards/awards-page.tsx'), 'AwardsPage'),
})

const statisticsRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: paths.statistics,
  validateSearch: validateSearch(readStatisticsSearch),
  loader: prefetch('statistics'),
  component: lazyPage('awards', () => import('../features/awards/statistics-page.tsx'), 'StatisticsPage'),
})

const manualRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: paths.manual,
  component: lazyPage('manual', () => import('../features/manual/manual-page.tsx'), 'ManualPage'),
})

const importHelpRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: paths.importHelp,
  component: lazyPage('manual', () => import('../features/manual/import-help-page.tsx'), 'ImportHelpPage'),
})

/** The manual for whoever is not logged in; a member has it in the frame of the application. */
const helpRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: paths.help,
  beforeLoad: () => {
    if (useSession.getState().session_token !== null) throw redirect({ to: paths.manual, replace: true })
  },
  component: lazyPage('manual', () => import('./help-page.tsx'), 'HelpPage'),
})

const passwordRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: paths.password,
  component: lazyPage('account', () => import('../features/account/password-page.tsx'), 'PasswordPage'),
})

const emailRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: paths.email,
  component: lazyPage('account', () => import('../features/account/email-page.tsx'), 'EmailPage'),
})

const sessionsRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: paths.sessions,
  component: lazyPage('sessions', () => import('../features/sessions/own-sessions-page.tsx'), 'OwnSessionsPage'),
})

const ownDataRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: paths.ownData,
  component: lazyPage('account', () => import('../features/account/own-data-page.tsx'), 'OwnDataPage'),
})

const limitsRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: paths.limits,
  loader: prefetch('limits'),
  component: lazyPage('account', () => import('../features/account/limits-page.tsx'), 'LimitsPage'),
})

const announcementsRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: paths.announcements,
  loader: prefetch('announcements'),
  component: lazyPage(['announcements', 'news'], () => import('./shell/news/inbox.tsx'), 'InboxPage'),
})

/**
 * The operators' console is another application. Its pages are loaded as documents, also those that once were pages of
 * this one.
 */
const consoleRoute = createRoute({ getParentRoute: () => rootRoute, path: paths.console, beforeLoad: openConsole })
const formerOfficeRoute = createRoute({ getParentRoute: () => rootRoute, path: paths.office, beforeLoad: openConsole })

/** What is meant for paper stands alone, without the frame. */
const printRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: paths.print,
  component: lazyRouteComponent(() => import('../features/print/print-layout.tsx'), 'PrintLayout'),
})

/** Papers are below it, for members. The page itself lists what can be printed, and needs no log-in. */
const printIndexRoute = createRoute({
  getParentRoute: () => printRoute,
  path: '/',
  component: lazyPage('print', () => import('../features/print/print-index-page.tsx'), 'PrintIndexPage'),
})

const printBillRoute = createRoute({
  getParentRoute: () => printRoute,
  path: '/bills/$order_id',
  beforeLoad: requireUser,
  component: lazyPage(['bills', 'print'], () => import('../features/bills/print-bill-page.tsx'), 'PrintBillPage'),
})

const printReportRoute = createRoute({
  getParentRoute: () => printRoute,
  path: '/reports/$kind',
  beforeLoad: requireUser,
  validateSearch: validateSearch(readReportSearch),
  component: lazyPage(
    ['reports', 'print'],
    () => import('../features/reports/print-report-page.tsx'),
    'PrintReportPage',
  ),
})

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    authRoute,
    loginRoute,
    logInStepsRoute,
    registerRoute,
    forgotRoute,
    resetRoute,
    verifyEmailRoute,
    maintenanceRoute,
    offlineRoute,
    notFoundRoute,
    helpRoute,
    consoleRoute,
    formerOfficeRoute,
    anywhereElseRoute,
    mainRoute.addChildren([
      lottoRoute,
      betRoute,
      billsRoute,
      deletedBillsRoute,
      billRoute,
      reportsRoute,
      winLossRoute,
      balanceRoute,
      summaryRoute,
      awardsRoute,
      statisticsRoute,
      manualRoute,
      importHelpRoute,
      passwordRoute,
      emailRoute,
      sessionsRoute,
      limitsRoute,
      ownDataRoute,
      announcementsRoute,
    ]),
    printRoute.addChildren([printIndexRoute, printBillRoute, printReportRoute]),
  ]),
  parseSearch,
  defaultPreload: 'intent',
  // The query client knows how old a reply is: the router asks it each time.
  defaultPreloadStaleTime: 0,
  defaultPendingMs: 300,
  defaultPendingMinMs: 0,
  defaultErrorComponent: PageFailure,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The address that led to the page for what does not exist. */
    mistyped?: string
  }
}

// Whatever ends the session, a 401 in any call, the log-out button or another tab: the way leads to the log-in page.
useSession.subscribe((now, before) => {
  if (before.session_token === null || now.session_token !== null) return
  const { pathname, href } = router.state.location
  if (isAuthPath(pathname)) return
  const back = now.leave_reason !== null && isReturnPath(href) && href !== paths.lotto ? { back: href } : {}
  setTimeout(() => void router.navigate({ to: paths.login, search: back, replace: true }), LEAVE_DELAY_MS)
})

// A call answered that the product is under maintenance: there is nothing else to show meanwhile.
useMaintenance.subscribe((now, before) => {
  if (now.activeMaintenance === null || before.activeMaintenance !== null) return
  const { pathname, href } = router.state.location
  if (isAuthPath(pathname) || pathname === paths.maintenance) return
  void router.navigate({ to: paths.maintenance, search: isReturnPath(href) ? { back: href } : {}, replace: true })
})
