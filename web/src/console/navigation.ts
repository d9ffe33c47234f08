// Which pages the console offers to a user, in the order of its menu. Menu, command palette and guards
// (`requirePage`) read this table.

import {
  type Permission,
  permissionsOfApprovals,
  permissionsOfDay,
  permissionsOfSignals,
  type User,
} from '@megalot/contract'
import type { ConsoleIcon } from './navigation-icons.ts'
import { consolePaths } from './paths.ts'

export type Operator = Pick<User, 'level' | 'is_office'> & { permissions: readonly Permission[] }

/**
 * What a user may see and do, as the server said with the session; the server refuses what is not permitted in any case.
 * Announcements are the company's alone, whoever else has the area.
 */
export function permissionsOf({ level, permissions }: Omit<Operator, 'is_office'>): ReadonlySet<Permission> {
  return new Set(permissions.filter((permission) => level === 'company' || !permission.startsWith('messages.')))
}

export interface Screen {
  name: string
  to: string
  icon: ConsoleIcon
  /** None: every user of the console; of several any one. */
  needs?: Permission | readonly Permission[]
  /** Only the office decides this, whoever else has the area. */
  isOfOffice?: boolean
}

/** The menu, in groups. */
export const screenGroups = [
  {
    name: 'day',
    screens: [
      { name: 'today', to: consolePaths.today, icon: 'today', needs: permissionsOfDay },
      { name: 'periods', to: consolePaths.periods, icon: 'calendar' },
      { name: 'calendar', to: consolePaths.calendar, icon: 'month', needs: permissionsOfDay },
      { name: 'risk', to: consolePaths.risk, icon: 'gauge', needs: 'risk.view' },
      { name: 'signals', to: consolePaths.signals, icon: 'flag', needs: permissionsOfSignals },
      {
        name: 'approvals',
        to: consolePaths.approvals,
        icon: 'checks',
        needs: permissionsOfApprovals,
        isOfOffice: true,
      },
      { name: 'results', to: consolePaths.results, icon: 'edit', needs: 'results.do' },
      { name: 'awards', to: consolePaths.awards, icon: 'trophy' },
    ],
  },
  {
    name: 'work',
    screens: [
      { name: 'people', to: consolePaths.people, icon: 'users', needs: 'people.view' },
      { name: 'codes', to: consolePaths.agentCodes, icon: 'qr', needs: 'people.view' },
      { name: 'numbers', to: consolePaths.numbers, icon: 'ban', needs: 'risk.view', isOfOffice: true },
      { name: 'terms', to: consolePaths.terms, icon: 'percent', needs: 'terms.view', isOfOffice: true },
      { name: 'bills', to: consolePaths.bills, icon: 'receipt', needs: 'tickets.view' },
      { name: 'tickets', to: consolePaths.tickets, icon: 'search', needs: 'tickets.view' },
      { name: 'downline', to: consolePaths.downline, icon: 'tree', needs: 'reports.view' },
      { name: 'reports', to: consolePaths.reports, icon: 'chart', needs: 'reports.view' },
    ],
  },
  {
    name: 'company',
    screens: [
      { name: 'announcements', to: consolePaths.announcements, icon: 'bell' },
      { name: 'messages', to: consolePaths.messages, icon: 'speakerphone', needs: 'messages.do' },
      { name: 'maintenance', to: consolePaths.maintenance, icon: 'tools', needs: 'maintenance.do' },
      { name: 'staff', to: consolePaths.staff, icon: 'staff', needs: 'staff.view' },
      { name: 'audit', to: consolePaths.audit, icon: 'history', needs: 'audit.view' },
      { name: 'readiness', to: consolePaths.readiness, icon: 'ready', needs: 'staff.view', isOfOffice: true },
    ],
  },
  {
    name: 'account',
    screens: [
      { name: 'security', to: consolePaths.security, icon: 'shield' },
      { name: 'sessions', to: consolePaths.sessions, icon: 'devices' },
      { name: 'own_data', to: consolePaths.ownData, icon: 'download' },
      { name: 'operators_manual', to: consolePaths.guide, icon: 'book' },
      { name: 'manual', to: consolePaths.manual, icon: 'help' },
    ],
  },
] as const satisfies readonly { name: string; screens: readonly Screen[] }[]

export type ScreenName = (typeof screenGroups)[number]['screens'][number]['name']

type NamedScreen = Screen & { name: ScreenName }

/**
 * The screen that a page belongs to: the last one whose address its own begins with, because a screen below another stands after
 * it in the table. Undefined: the page belongs to none.
 */
export function findScreen(pathname: string): NamedScreen | undefined {
  return screenGroups
    .flatMap(({ screens }): readonly NamedScreen[] => screens)
    .findLast(({ to }) => `${pathname}/`.startsWith(`${to}/`))
}

function isOffered(user: Operator, { needs, isOfOffice }: Screen): boolean {
  const permissions = permissionsOf(user)
  return (user.is_office || !isOfOffice) && (!needs || [needs].flat().some((permission) => permissions.has(permission)))
}

/** The groups of the menu with what the user may open; groups with nothing in them are left out. */
export function navigationOf(user: Operator) {
  return screenGroups
    .map(({ name, screens }) => ({ name, screens: screens.filter((screen) => isOffered(user, screen)) }))
    .filter(({ screens }) => screens.length > 0)
}

/** Pages of no screen that every user of the console may open, with those below them. */
const pagesForAll: readonly string[] = [consolePaths.markets, consolePaths.password, consolePaths.refused]

/** The page that something is printed from: `/print/bills/7` from `/bills/7`. The list of what can be printed is for everybody. */
function pageOfPrint(pathname: string): string {
  return pathname.startsWith(`${consolePaths.print}/`) ? pathname.slice(consolePaths.print.length) : pathname
}

/** Whether a user may open a page. A page that belongs to nothing is open to nobody. */
export function mayOpen(user: Operator, pathname: string): boolean {
  if (pathname === consolePaths.print) return true
  const page = pageOfPrint(pathname)
  const screen = findScreen(page)
  if (screen) return isOffered(user, screen)
  return pagesForAll.some((path) => `${page}/`.startsWith(`${path}/`))
}
