import {
  Outlet,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import { forgotPage, loginPage, registerPage, resetPage, verifyEmailPage } from './auth/pages.ts'
import { helpPage, logInStepsPage, maintenancePage, notFoundPage, offlinePage } from './away/pages.ts'
import { lottoPage } from './lotto/pages.ts'
import { betPage } from './bet/pages.ts'
import { billPage, billsPage, deletedBillsPage } from './tickets/pages.ts'
import { printBillPage } from '../shared/tickets/pages.ts'
import { balancePage, periodWinLossPage, printReportPage, reportsPage, summaryPage } from '../shared/reports/pages.ts'
import { awardsPage, statisticsPage } from '../shared/results/pages.ts'
import { importHelpPage, manualPage } from '../shared/manual/pages.ts'
import { emailPage, ownSessionsPage } from './account/pages.ts'
import { limitsPage } from './limits/pages.ts'
import { ownMoneyPage } from './money/pages.ts'
import { ownDataPage, passwordPage } from '../shared/account/pages.ts'
import { inboxPage } from './shell/news/pages.ts'
import { printIndexPage } from '../shared/print/pages.ts'
import { routesUnder } from '../lib/page/define-page.ts'
import { lazyPage } from '../lib/page/lazy-page.ts'
import { parseSearch } from '../lib/search/parse-search.ts'
import { useMaintenance } from '../lib/session/maintenance-store.ts'
import { useSession } from '../lib/session/session-store.ts'
import { LEAVE_DELAY_MS, restoreUser } from '../lib/user/current-user.ts'
import { PageFailure } from '../ui/page-failure.tsx'
import { openConsole, requireSession, requireUser, requireVisitor } from './guards.ts'
import { ShellSkeleton } from './shell/shell-skeleton.tsx'
import { isAuthPath, isReturnPath } from '../lib/page/addresses.ts'

const rootRoute = createRootRoute({
  component: Outlet,
  errorComponent: PageFailure,
  notFoundComponent: notFoundPage.component,
})

const outside = routesUnder(rootRoute)
const forVisitors = routesUnder(rootRoute, { beforeLoad: requireVisitor })

/** The page waits for its data. */
const logInStepsRoute = createRoute({
  getParentRoute: () => rootRoute,
  ...logInStepsPage,
  beforeLoad: requireSession,
  loader: async () => (await import('./auth/log-in-steps-page.tsx')).loadSteps(),
})

/** The manual without a log-in. A member sees it inside the shell. */
const forStrangers = routesUnder(rootRoute, {
  beforeLoad: () => {
    if (useSession.getState().session_token !== null) throw redirect({ to: '/manual', replace: true })
  },
})

/** The area by itself begins with the log-in. */
const authRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/auth',
  beforeLoad: () => {
    throw redirect({ to: '/auth/login', replace: true })
  },
})

const anywhereElseRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '$',
  beforeLoad: ({ location }) => {
    throw redirect({ to: '/error/404', replace: true, state: { mistyped: location.href } })
  },
})

const MemberShell = lazyPage(['shell', 'user'], () => import('./shell/main-layout.tsx'), 'MainLayout')

const mainRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'main',
  beforeLoad: requireUser,
  // At once, and no longer than it must: by default what is pending stays for half a second once it shows.
  pendingComponent: ShellSkeleton,
  pendingMs: 0,
  component: MemberShell,
})

const inside = routesUnder(mainRoute)

/** Pages for everyone. Members see them within the shell. */
const anyoneRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'anyone',
  beforeLoad: async () => {
    await restoreUser()
  },
  component: function Anyone() {
    const isMember = useSession(({ user }) => user?.level === 'member')
    return isMember ? <MemberShell /> : <Outlet />
  },
})

/**
 * The operators' console is another application. Its pages are loaded as documents, also those that once were pages of
 * this one.
 */
const consoleRoute = createRoute({ getParentRoute: () => rootRoute, path: '/console/$', beforeLoad: openConsole })
const formerOfficeRoute = createRoute({ getParentRoute: () => rootRoute, path: '/office/$', beforeLoad: openConsole })

/** Print pages have no shell. */
const printRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/print',
  component: lazyRouteComponent(() => import('../shared/print/print-layout.tsx'), 'PrintLayout'),
})

const onPaper = routesUnder(printRoute)
/** Papers are for members. The page itself lists what can be printed, and needs no log-in. */
const membersPaper = routesUnder(printRoute, { beforeLoad: requireUser })

export const router = createRouter({
  routeTree: rootRoute.addChildren([
    authRoute,
    forVisitors(loginPage),
    logInStepsRoute,
    forVisitors(registerPage),
    outside(forgotPage),
    outside(resetPage),
    outside(verifyEmailPage),
    outside(maintenancePage),
    outside(offlinePage),
    anyoneRoute.addChildren([routesUnder(anyoneRoute)(notFoundPage)]),
    forStrangers(helpPage),
    consoleRoute,
    formerOfficeRoute,
    anywhereElseRoute,
    mainRoute.addChildren([
      inside(lottoPage),
      inside(betPage),
      inside(billsPage),
      inside(deletedBillsPage),
      inside(billPage),
      inside(reportsPage),
      inside(periodWinLossPage),
      inside(balancePage),
      inside(summaryPage),
      inside(awardsPage),
      inside(statisticsPage),
      inside(manualPage),
      inside(importHelpPage),
      inside(passwordPage),
      inside(emailPage),
      inside(ownSessionsPage),
      inside(limitsPage),
      inside(ownMoneyPage),
      inside(ownDataPage),
      inside(inboxPage),
    ]),
    printRoute.addChildren([onPaper(printIndexPage), membersPaper(printBillPage), membersPaper(printReportPage)]),
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
  const back = now.leave_reason !== null && isReturnPath(href) && href !== '/' ? { back: href } : {}
  setTimeout(() => void router.navigate({ to: '/auth/login', search: back, replace: true }), LEAVE_DELAY_MS)
})

// A call answered that the product is under maintenance: there is nothing else to show meanwhile.
useMaintenance.subscribe((now, before) => {
  if (now.activeMaintenance === null || before.activeMaintenance !== null) return
  const { pathname, href } = router.state.location
  if (isAuthPath(pathname) || pathname === '/maintenance') return
  void router.navigate({ to: '/maintenance', search: isReturnPath(href) ? { back: href } : {}, replace: true })
})
