import type { User } from '@megalot/contract'
import {
  Outlet,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import { LEAVE_DELAY_MS, delay, restoreUser } from '../lib/user/current-user.ts'
import { loadArea } from '../lib/i18n/language-store.ts'
import { useMaintenance } from '../lib/session/maintenance-store.ts'
import { useOffline } from '../lib/session/offline-store.ts'
import { useSession } from '../lib/session/session-store.ts'
import type { AwardSearch, StatisticsSearch } from '../features/awards/award-search.ts'
import type { BillFilters } from '../features/bills/bill-filters.ts'
import type { ReportSearch } from '../features/reports/report-search.ts'
import type { Area } from '../locales/catalogue.ts'
import { NotFoundPage } from './not-found-page.tsx'
import { PageFailure } from './page-failure.tsx'
import { ShellSkeleton } from './shell-skeleton.tsx'

/** A page is its code and its words: both are fetched at once, and shown together. */
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

async function showOnlyTo(isAllowed: (user: User) => boolean, href: string): Promise<void> {
  const user = await restoreUser()
  if (user !== null && !isAllowed(user)) throw redirect({ to: '/error/404', replace: true, state: { mistyped: href } })
}

/** Only places inside the product may be returned to after the log-in. */
function isInnerPath(path: unknown): path is string {
  return typeof path === 'string' && /^\/(?![/\\])/.test(path) && !/^\/(auth|maintenance|offline)/.test(path)
}

function readBack({ back }: Record<string, unknown>): { back?: string } {
  return isInnerPath(back) ? { back } : {}
}

const rootRoute = createRootRoute({ component: Outlet, errorComponent: PageFailure, notFoundComponent: NotFoundPage })

const loginRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/auth/login',
  validateSearch: readBack,
  beforeLoad: async ({ search }) => {
    if ((await restoreUser()) !== null) throw redirect({ href: search.back ?? '/', replace: true })
  },
  component: lazyPage('auth', () => import('../features/auth/login-page.tsx'), 'LoginPage'),
})

/** Forms for those who are not in: they lead past themselves where somebody is. */
const leadInside = async (): Promise<void> => {
  if ((await restoreUser()) !== null) throw redirect({ to: '/', replace: true })
}

/** The area by itself begins with the log-in. */
const authRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/auth',
  beforeLoad: () => {
    throw redirect({ to: '/auth/login', replace: true })
  },
})

const registerRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/auth/register',
  beforeLoad: leadInside,
  component: lazyPage(['auth', 'credentials'], () => import('../features/auth/register-page.tsx'), 'RegisterPage'),
})

const forgotRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/auth/forgot-password',
  component: lazyPage('credentials', () => import('../features/auth/forgot-page.tsx'), 'ForgotPage'),
})

const resetRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/auth/reset-password',
  component: lazyPage('credentials', () => import('../features/auth/reset-page.tsx'), 'ResetPage'),
})

const maintenanceRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/maintenance',
  validateSearch: readBack,
  component: lazyPage('away', () => import('./maintenance-page.tsx'), 'MaintenancePage'),
})

const offlineRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/offline',
  validateSearch: readBack,
  component: lazyPage('away', () => import('./offline-page.tsx'), 'OfflinePage'),
})

const notFoundRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/error/404',
  component: NotFoundPage,
})

const anywhereElseRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '$',
  beforeLoad: ({ location }) => {
    throw redirect({ to: '/error/404', replace: true, state: { mistyped: location.href } })
  },
})

/** Inside is whoever the server knows. */
const requireUser = async ({ location }: { location: { href: string } }): Promise<void> => {
  const hadSession = useSession.getState().session_id !== null
  if ((await restoreUser()) !== null) return
  if (useMaintenance.getState().activeMaintenance !== null)
    throw redirect({ to: '/maintenance', search: { back: location.href }, replace: true })
  if (useOffline.getState().isOffline)
    throw redirect({ to: '/offline', search: { back: location.href }, replace: true })
  if (hadSession) await delay(LEAVE_DELAY_MS)
  throw redirect({ to: '/auth/login', search: location.href === '/' ? {} : { back: location.href }, replace: true })
}

const mainRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'main',
  beforeLoad: requireUser,
  // At once, and no longer than it must: by default what is pending stays for half a second once it shows.
  pendingComponent: ShellSkeleton,
  pendingMs: 0,
  component: lazyPage('shell', () => import('./shell/main-layout.tsx'), 'MainLayout'),
})

/** A page inside, below the frame that stands around all of them. */
function insidePage<const Path extends string, Module extends Record<string, unknown>>(
  path: Path,
  areas: Area | readonly Area[],
  load: () => Promise<Module>,
  name: keyof Module & string,
) {
  return createRoute({ getParentRoute: () => mainRoute, path, component: lazyPage(areas, load, name) })
}

/** A page whose address says what it shows: as it stands there, to be read by the page, which knows what it may be. */
function searchedPage<const Path extends string, Module extends Record<string, unknown>, Search extends object>(
  path: Path,
  asWritten: (search: Search) => Search,
  areas: Area | readonly Area[],
  load: () => Promise<Module>,
  name: keyof Module & string,
) {
  const component = lazyPage(areas, load, name)
  return createRoute({ getParentRoute: () => mainRoute, path, validateSearch: asWritten, component })
}

const lottoRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: '/',
  component: lazyPage('lotto', () => import('../features/lotto/lotto-page.tsx'), 'LottoPage'),
})

const betRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: '/bet/$product_code',
  validateSearch: ({ view, period }: Record<string, unknown>): { view?: 'latest'; period?: string } => ({
    ...(view === 'latest' ? { view } : {}),
    ...(typeof period === 'string' ? { period } : {}),
  }),
  component: lazyPage(['bet', 'entry'], () => import('../features/bet/bet-page.tsx'), 'BetPage'),
})

const billSearch = (search: BillFilters): BillFilters => search
const reportSearch = (search: ReportSearch): ReportSearch => search
const reportsPage = () => import('../features/reports/reports-page.tsx')
const awardSearch = (search: AwardSearch): AwardSearch => search
const statisticsSearch = (search: StatisticsSearch): StatisticsSearch => search
const billsPages = () => import('../features/bills/bills-page.tsx')

const insideRoutes = [
  searchedPage('/bills', billSearch, 'bills', billsPages, 'BillsPage'),
  searchedPage('/bills/deleted', billSearch, 'bills', billsPages, 'DeletedBillsPage'),
  insidePage('/bills/$order_id', ['bills', 'decision'], () => import('../features/bills/bill-page.tsx'), 'BillPage'),
  searchedPage('/reports', reportSearch, 'reports', reportsPage, 'ReportsPage'),
  searchedPage(
    '/reports/win-loss/$period_code',
    reportSearch,
    'reports',
    () => import('../features/reports/period-win-loss-page.tsx'),
    'PeriodWinLossPage',
  ),
  searchedPage(
    '/reports/balance',
    reportSearch,
    'reports',
    () => import('../features/reports/balance-page.tsx'),
    'BalancePage',
  ),
  searchedPage(
    '/reports/summary',
    reportSearch,
    'reports',
    () => import('../features/reports/summary-page.tsx'),
    'SummaryPage',
  ),
  searchedPage('/awards', awardSearch, 'awards', () => import('../features/awards/awards-page.tsx'), 'AwardsPage'),
  searchedPage(
    '/awards/statistics',
    statisticsSearch,
    'awards',
    () => import('../features/awards/statistics-page.tsx'),
    'StatisticsPage',
  ),
  insidePage('/manual', 'manual', () => import('../features/manual/manual-page.tsx'), 'ManualPage'),
  insidePage('/manual/import', 'manual', () => import('../features/manual/import-help-page.tsx'), 'ImportHelpPage'),
  insidePage('/account/password', 'account', () => import('../features/account/password-page.tsx'), 'PasswordPage'),
  insidePage(
    '/announcements',
    ['announcements', 'news'],
    () => import('../features/announcements/announcements-page.tsx'),
    'AnnouncementsPage',
  ),
  insidePage(
    '/office/bills',
    'oversight',
    () => import('../features/oversight/manage-bills-page.tsx'),
    'ManageBillsPage',
  ),
  insidePage(
    '/office/awards',
    'oversight',
    () => import('../features/oversight/award-entry-page.tsx'),
    'AwardEntryPage',
  ),
  insidePage('/office/shares', 'oversight', () => import('../features/oversight/shares-page.tsx'), 'SharesPage'),
] as const

/** The help area begins with the manual, which leads to the rest of it. */
const helpRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: '/help',
  beforeLoad: () => {
    throw redirect({ to: '/manual', replace: true })
  },
})

/** What is meant for paper stands alone, without the frame. */
const printRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/print',
  beforeLoad: requireUser,
  component: lazyRouteComponent(() => import('./print/print-layout.tsx'), 'PrintLayout'),
})

/** Papers stand below it; by itself it says what there is to print. */
const printIndexRoute = createRoute({
  getParentRoute: () => printRoute,
  path: '/',
  component: lazyPage('print', () => import('./print/print-index-page.tsx'), 'PrintIndexPage'),
})

const printBillRoute = createRoute({
  getParentRoute: () => printRoute,
  path: '/bills/$order_id',
  component: lazyPage(['bills', 'print'], () => import('../features/bills/print-bill-page.tsx'), 'PrintBillPage'),
})

const printReportRoute = createRoute({
  getParentRoute: () => printRoute,
  path: '/reports/$kind',
  validateSearch: reportSearch,
  component: lazyPage(
    ['reports', 'print'],
    () => import('../features/reports/print-report-page.tsx'),
    'PrintReportPage',
  ),
})

/** Pages of the company and its office users: to others they do not exist. */
const officeMaintenanceRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: '/office/maintenance',
  beforeLoad: ({ location }) => showOnlyTo(({ is_office }) => is_office, location.href),
  component: lazyPage(
    'office',
    () => import('../features/office/office-maintenance-page.tsx'),
    'OfficeMaintenancePage',
  ),
})

const officeAnnouncementsRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: '/office/announcements',
  beforeLoad: ({ location }) => showOnlyTo(({ level }) => level === 'company', location.href),
  component: lazyPage(
    'office',
    () => import('../features/office/office-announcements-page.tsx'),
    'OfficeAnnouncementsPage',
  ),
})

/** Only who bets has limits to set for betting. */
const limitsRoute = createRoute({
  getParentRoute: () => mainRoute,
  path: '/account/limits',
  beforeLoad: ({ location }) => showOnlyTo(({ level }) => level === 'member', location.href),
  component: lazyPage('account', () => import('../features/account/limits-page.tsx'), 'LimitsPage'),
})

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    authRoute,
    loginRoute,
    registerRoute,
    forgotRoute,
    resetRoute,
    maintenanceRoute,
    offlineRoute,
    notFoundRoute,
    anywhereElseRoute,
    mainRoute.addChildren([
      lottoRoute,
      betRoute,
      ...insideRoutes,
      helpRoute,
      limitsRoute,
      officeMaintenanceRoute,
      officeAnnouncementsRoute,
    ]),
    printRoute.addChildren([printIndexRoute, printBillRoute, printReportRoute]),
  ]),
  defaultPreload: 'intent',
  defaultPendingMs: 300,
  defaultPendingMinMs: 0,
  defaultErrorComponent: PageFailure,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
  interface HistoryState {
    /** The address that led to the page for what does not exist. */
    mistyped?: string
  }
}

// Whatever ends the session, a 401 in any call, the log-out button or another tab: the way leads to the log-in page.
useSession.subscribe((now, before) => {
  if (before.session_id === null || now.session_id !== null) return
  const { pathname, href } = router.state.location
  if (pathname.startsWith('/auth')) return
  const back = now.leave_reason !== null && isInnerPath(href) && href !== '/' ? { back: href } : {}
  setTimeout(() => void router.navigate({ to: '/auth/login', search: back, replace: true }), LEAVE_DELAY_MS)
})

// A call answered that the product is under maintenance: there is nothing else to show meanwhile.
useMaintenance.subscribe((now, before) => {
  if (now.activeMaintenance === null || before.activeMaintenance !== null) return
  const { pathname, href } = router.state.location
  if (pathname.startsWith('/auth') || pathname === '/maintenance') return
  void router.navigate({ to: '/maintenance', search: isInnerPath(href) ? { back: href } : {}, replace: true })
})
