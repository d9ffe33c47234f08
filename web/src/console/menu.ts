// Which pages the console offers to a user, in the order of its menu.

import type { Permission, User } from '@megalot/contract'
import { periodsPage } from './day/periods/pages.ts'
import { todayPage } from './day/today/pages.ts'
import { calendarPage } from './day/calendar/pages.ts'
import { riskPage } from './day/risk/pages.ts'
import { signalsPage } from './day/signals/pages.ts'
import { agentCodesPage, peoplePage } from './people/pages.ts'
import { approvalsPage } from './day/approvals/pages.ts'
import { termsPage } from './money/rates/pages.ts'
import { limitRulesPage, numbersPage, quotasPage, standingNumbersPage } from './money/limits/pages.ts'
import { ticketsPage } from './people/tickets/pages.ts'
import { homePage } from './money/home/pages.ts'
import { moneySheetPage } from './money/sheet/pages.ts'
import { downlinePage } from './money/downline/pages.ts'
import { cashPage } from './money/cash/pages.ts'
import { clearingsPage } from './money/clearings/pages.ts'
import { historyPage } from './money/history/pages.ts'
import { awardEntryPage } from './day/results/pages.ts'
import { awardsPage } from '../shared/results/pages.ts'
import { officeMaintenancePage } from './house/maintenance/pages.ts'
import { officeAnnouncementsPage } from './house/messages/pages.ts'
import { announcementsPage } from './house/announcements/pages.ts'
import { guidePage } from './account/guide/pages.ts'
import { staffPage } from './house/staff/pages.ts'
import { auditPage } from './house/audit/pages.ts'
import { readinessPage } from './house/readiness/pages.ts'
import { securityPage } from './account/security/pages.ts'
import { sessionsPage } from './account/sessions/pages.ts'
import { ownDataPage, passwordPage } from '../shared/account/pages.ts'
import { balancePage, reportsPage, summaryPage } from '../shared/reports/pages.ts'
import type { Access } from '../lib/page/define-page.ts'
import type { ConsoleIcon } from './menu-icons.ts'

export type Operator = Pick<User, 'level' | 'is_office'> & { permissions: readonly Permission[] }

/**
 * What a user may see and do, as the server said with the session; the server refuses what is not permitted in any case.
 * Announcements are the company's alone, whoever else has the area.
 */
export function permissionsOf({ level, permissions }: Omit<Operator, 'is_office'>): ReadonlySet<Permission> {
  return new Set(permissions.filter((permission) => level === 'company' || !permission.startsWith('messages.')))
}

/** Whether an operator may open a page. */
export function mayOpen(user: Operator, { needs, isOfOffice = false }: Access): boolean {
  if (isOfOffice && !user.is_office) return false
  if (needs === 'everyone') return true
  if (needs === 'visitor' || needs === 'member') return false
  const permissions = permissionsOf(user)
  return [needs].flat().some((permission) => permissions.has(permission))
}

interface Tab {
  name: string
  page: { path: string; staticData: { access: Access } }
  /** Pages at and below this address belong to the tab, too. */
  also?: string
}

interface Screen {
  name: string
  icon: ConsoleIcon
  /** The pages of the entry. It leads to the first one that the user may open. */
  tabs: readonly [Tab, ...Tab[]]
}

/** The menu: groups, their entries, and the pages of each entry as tabs. */
export const screenGroups = [
  {
    name: 'day',
    screens: [
      { name: 'home', icon: 'home', tabs: [{ name: 'home', page: homePage }] },
      {
        name: 'today',
        icon: 'today',
        tabs: [
          { name: 'today', page: todayPage },
          { name: 'periods', page: periodsPage, also: '/markets' },
          { name: 'calendar', page: calendarPage },
          { name: 'awards', page: awardsPage },
        ],
      },
      { name: 'risk', icon: 'gauge', tabs: [{ name: 'risk', page: riskPage }] },
      { name: 'results', icon: 'edit', tabs: [{ name: 'results', page: awardEntryPage }] },
      { name: 'approvals', icon: 'checks', tabs: [{ name: 'approvals', page: approvalsPage }] },
      { name: 'signals', icon: 'flag', tabs: [{ name: 'signals', page: signalsPage }] },
    ],
  },
  {
    name: 'people',
    screens: [
      {
        name: 'people',
        icon: 'users',
        tabs: [
          { name: 'people', page: peoplePage },
          { name: 'codes', page: agentCodesPage },
        ],
      },
      { name: 'tickets', icon: 'receipt', tabs: [{ name: 'tickets', page: ticketsPage, also: '/bills' }] },
    ],
  },
  {
    name: 'money',
    screens: [
      {
        name: 'money',
        icon: 'cash',
        tabs: [
          { name: 'money', page: moneySheetPage },
          { name: 'history', page: historyPage },
        ],
      },
      { name: 'clearings', icon: 'clearing', tabs: [{ name: 'clearings', page: clearingsPage }] },
      { name: 'cash', icon: 'book', tabs: [{ name: 'cash', page: cashPage }] },
      {
        name: 'reports',
        icon: 'chart',
        tabs: [
          { name: 'downline', page: downlinePage },
          { name: 'win_loss', page: reportsPage },
          { name: 'statement', page: balancePage },
          { name: 'summary', page: summaryPage },
        ],
      },
    ],
  },
  {
    name: 'rules',
    screens: [
      {
        name: 'numbers',
        icon: 'ban',
        tabs: [
          { name: 'numbers', page: numbersPage },
          { name: 'standing', page: standingNumbersPage },
          { name: 'quotas', page: quotasPage },
          { name: 'rules', page: limitRulesPage },
        ],
      },
      { name: 'terms', icon: 'percent', tabs: [{ name: 'terms', page: termsPage }] },
    ],
  },
  {
    name: 'house',
    screens: [
      {
        name: 'announcements',
        icon: 'speakerphone',
        tabs: [
          { name: 'announcements', page: announcementsPage },
          { name: 'messages', page: officeAnnouncementsPage },
        ],
      },
      { name: 'staff', icon: 'staff', tabs: [{ name: 'staff', page: staffPage }] },
      {
        name: 'system',
        icon: 'tools',
        tabs: [
          { name: 'readiness', page: readinessPage },
          { name: 'maintenance', page: officeMaintenancePage },
          { name: 'audit', page: auditPage },
        ],
      },
      {
        name: 'account',
        icon: 'shield',
        tabs: [
          { name: 'security', page: securityPage },
          { name: 'sessions', page: sessionsPage },
          { name: 'password', page: passwordPage },
          { name: 'own_data', page: ownDataPage },
          { name: 'guide', page: guidePage, also: '/manual' },
        ],
      },
    ],
  },
] as const satisfies readonly { name: string; screens: readonly Screen[] }[]

type NamedScreen = (typeof screenGroups)[number]['screens'][number]
type NamedTab = NamedScreen['tabs'][number]
export type ScreenName = NamedScreen['name']
export type TabName = NamedTab['name']

const listTabs = () =>
  screenGroups.flatMap(({ screens }) =>
    screens.flatMap((screen: NamedScreen) => screen.tabs.map((tab: NamedTab) => ({ screen, tab }))),
  )

/** The entry and the tab that a page belongs to, by their addresses: the longest address that the page is at or below. */
export function findScreen(pathname: string): { screen: NamedScreen; tab: NamedTab } | undefined {
  const isBelow = (path: string): boolean => `${pathname}/`.startsWith(`${path}/`)
  return listTabs()
    .flatMap(({ screen, tab }) =>
      [tab.page.path, ...('also' in tab ? [tab.also] : [])].filter(isBelow).map((path) => ({ screen, tab, path })),
    )
    .toSorted((one, other) => other.path.length - one.path.length)[0]
}

/** The tabs of an entry that the user may open. */
export const tabsOf = (user: Operator, { tabs }: NamedScreen): readonly NamedTab[] =>
  tabs.filter(({ page }: NamedTab) => mayOpen(user, page.staticData.access))

/** The groups of the menu with what the user may open. An entry or a group without pages is left out. */
export function navigationOf(user: Operator) {
  return screenGroups
    .map(({ name, screens }) => ({
      name,
      screens: screens.flatMap((screen: NamedScreen) => {
        const [first, ...others] = tabsOf(user, screen)
        return first === undefined ? [] : [{ name: screen.name, icon: screen.icon, tabs: [first, ...others] as const }]
      }),
    }))
    .filter(({ screens }) => screens.length > 0)
}

/** The page on which an operator lands: an agent at its money, the office at the day. */
export function landingOf(user: Operator) {
  const first = user.is_office ? todayPage : homePage
  return mayOpen(user, first.staticData.access) ? first.path : periodsPage.path
}
