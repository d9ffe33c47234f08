import {
  Outlet,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import { CONSOLE_BASE } from '@megalot/contract/browser'
import { membersPage, nowherePage, refusedPage } from './shell/pages.ts'
import { openMarketsPage, setupPage } from './house/setup/pages.ts'
import { periodsPage } from './day/periods/pages.ts'
import { todayPage } from './day/today/pages.ts'
import { calendarPage } from './day/calendar/pages.ts'
import { riskPage } from './day/risk/pages.ts'
import { signalsPage } from './day/signals/pages.ts'
import { marketPage } from './day/market/pages.ts'
import { agentCodesPage, newPersonPage, peoplePage, personPage } from './people/pages.ts'
import { approvalsPage } from './day/approvals/pages.ts'
import { termsPage } from './money/rates/pages.ts'
import { limitRulesPage, numbersPage, quotasPage, standingNumbersPage } from './money/limits/pages.ts'
import { ticketPage, ticketsPage } from './people/tickets/pages.ts'
import { deletedTicketsSearchOf, ticketsSearchOf } from './people/tickets/former-search.ts'
import { printBillPage } from '../shared/tickets/pages.ts'
import { balancePage, periodWinLossPage, printReportPage, reportsPage, summaryPage } from '../shared/reports/pages.ts'
import { homePage } from './money/home/pages.ts'
import { moneySheetPage } from './money/sheet/pages.ts'
import { downlinePage, printDownlinePage } from './money/downline/pages.ts'
import { cashPage } from './money/cash/pages.ts'
import { clearingPage, clearingsPage, printClearingPage } from './money/clearings/pages.ts'
import { historyPage } from './money/history/pages.ts'
import { awardEntryPage } from './day/results/pages.ts'
import { awardsPage, statisticsPage } from '../shared/results/pages.ts'
import { officeMaintenancePage } from './house/maintenance/pages.ts'
import { officeAnnouncementsPage } from './house/messages/pages.ts'
import { announcementsPage } from './house/announcements/pages.ts'
import { importHelpPage, manualPage } from '../shared/manual/pages.ts'
import { guidePage } from './account/guide/pages.ts'
import { staffPage } from './house/staff/pages.ts'
import { auditPage } from './house/audit/pages.ts'
import { readinessPage } from './house/readiness/pages.ts'
import { securityPage } from './account/security/pages.ts'
import { sessionsPage } from './account/sessions/pages.ts'
import { ownDataPage, passwordPage } from '../shared/account/pages.ts'
import { printIndexPage } from '../shared/print/pages.ts'
import { routesUnder } from '../lib/page/define-page.ts'
import { lazyPage } from '../lib/page/lazy-page.ts'
import { parseSearch } from '../lib/search/parse-search.ts'
import { useMaintenance } from '../lib/session/maintenance-store.ts'
import { useSession } from '../lib/session/session-store.ts'
import { PageFailure } from '../ui/page-failure.tsx'
import { leaveFor, requireOperator, requirePage, requirePermission } from './guards.ts'
import { landingOf } from './menu.ts'
import { ConsoleSkeleton } from './shell/console-skeleton.tsx'

const rootRoute = createRootRoute({ component: Outlet, errorComponent: PageFailure })

const frame = {
  pendingComponent: ConsoleSkeleton,
  pendingMs: 0,
  component: lazyPage(['user', 'console', 'grid'], () => import('./shell/console-layout.tsx'), 'ConsoleLayout'),
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

/** Nobody needs to be signed in here. */
const outside = routesUnder(rootRoute)
// An operator's reports are counted: nothing is fetched before its page is opened.
const inside = routesUnder(mainRoute, { loader: undefined })
const ifPeriods = routesUnder(mainRoute, { loader: undefined, beforeLoad: requirePermission('periods.do') })
const nowhere = routesUnder(nowhereRoute)

/** Leads to the page on which the user lands. */
const landingRoute = createRoute({
  getParentRoute: () => nowhereRoute,
  path: '/',
  beforeLoad: async (context) => {
    throw redirect({ href: landingOf(await requireOperator(context)), replace: true })
  },
})

const formerOfficePages: Readonly<Record<string, string>> = {
  bills: '/tickets',
  shares: '/people',
  awards: '/results',
  maintenance: '/maintenance',
  announcements: '/messages',
}

/** The page that was `/office/…` in the member app. */
function formerOfficePath(page: string): string {
  return formerOfficePages[page] ?? '/'
}

/** Pages of the office had other names as long as they were in the member app. */
const formerOfficeRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/office/$page',
  beforeLoad: ({ params, location }) => {
    throw redirect({ href: formerOfficePath(params.page) + location.searchStr, replace: true })
  },
})

/** The tickets of a line had two lists of their own. */
const formerBillsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/bills',
  beforeLoad: ({ search }) => {
    throw redirect({ to: '/tickets', search: ticketsSearchOf(search), replace: true })
  },
})

const formerDeletedBillsRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/bills/deleted',
  beforeLoad: ({ search }) => {
    throw redirect({ to: '/tickets', search: deletedTicketsSearchOf(search), replace: true })
  },
})

/** Print pages have no layout. */
const printRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/print',
  beforeLoad: requirePage,
  component: lazyRouteComponent(() => import('../shared/print/print-layout.tsx'), 'PrintLayout'),
})

const onPaper = routesUnder(printRoute, { loader: undefined })

export const consoleRouter = createRouter({
  basepath: CONSOLE_BASE,
  routeTree: rootRoute.addChildren([
    outside(membersPage),
    outside(setupPage),
    formerOfficeRoute,
    formerBillsRoute,
    formerDeletedBillsRoute,
    nowhereRoute.addChildren([landingRoute, nowhere(nowherePage)]),
    mainRoute.addChildren([
      inside(refusedPage),
      inside(periodsPage),
      inside(todayPage),
      inside(calendarPage),
      inside(riskPage),
      inside(signalsPage),
      inside(marketPage),
      inside(peoplePage),
      inside(newPersonPage),
      inside(agentCodesPage),
      inside(personPage),
      inside(approvalsPage),
      inside(termsPage),
      inside(numbersPage),
      inside(standingNumbersPage),
      inside(limitRulesPage),
      inside(quotasPage),
      ifPeriods(openMarketsPage),
      inside(ticketsPage),
      inside(ticketPage),
      inside(homePage),
      inside(moneySheetPage),
      inside(reportsPage),
      inside(historyPage),
      inside(clearingsPage),
      inside(clearingPage),
      inside(cashPage),
      inside(downlinePage),
      inside(periodWinLossPage),
      inside(balancePage),
      inside(summaryPage),
      inside(awardEntryPage),
      inside(awardsPage),
      inside(statisticsPage),
      inside(officeAnnouncementsPage),
      inside(announcementsPage),
      inside(officeMaintenancePage),
      inside(manualPage),
      inside(importHelpPage),
      inside(guidePage),
      inside(staffPage),
      inside(auditPage),
      inside(readinessPage),
      inside(securityPage),
      inside(sessionsPage),
      inside(passwordPage),
      inside(ownDataPage),
    ]),
    printRoute.addChildren([
      onPaper(printIndexPage),
      onPaper(printBillPage),
      onPaper(printReportPage),
      onPaper(printDownlinePage),
      onPaper(printClearingPage),
    ]),
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
  void leaveFor('/auth/login', now.leave_reason === null ? null : publicHref)
})

// A call answered that the application is under maintenance: there is nothing else to show meanwhile.
useMaintenance.subscribe((now, before) => {
  if (now.activeMaintenance === null || before.activeMaintenance !== null) return
  void leaveFor('/maintenance', consoleRouter.state.location.publicHref)
})
