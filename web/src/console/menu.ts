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
import { numbersPage } from './money/limits/pages.ts'
import { ticketsPage } from './people/tickets/pages.ts'
import { downlinePage } from './money/downline/pages.ts'
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
import { ownDataPage } from '../shared/account/pages.ts'
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

interface Screen {
  name: string
  page: { path: string; staticData: { access: Access } }
  /** Pages at and below this address belong to the screen, too. */
  also?: string
  icon: ConsoleIcon
}

/** The menu, in groups. */
export const screenGroups = [
  {
    name: 'day',
    screens: [
      { name: 'today', page: todayPage, icon: 'today' },
      { name: 'periods', page: periodsPage, icon: 'calendar' },
      { name: 'calendar', page: calendarPage, icon: 'month' },
      { name: 'risk', page: riskPage, icon: 'gauge' },
      { name: 'signals', page: signalsPage, icon: 'flag' },
      {
        name: 'approvals',
        page: approvalsPage,
        icon: 'checks',
      },
      { name: 'results', page: awardEntryPage, icon: 'edit' },
      { name: 'awards', page: awardsPage, icon: 'trophy' },
    ],
  },
  {
    name: 'work',
    screens: [
      { name: 'people', page: peoplePage, icon: 'users' },
      { name: 'codes', page: agentCodesPage, icon: 'qr' },
      { name: 'numbers', page: numbersPage, icon: 'ban' },
      { name: 'terms', page: termsPage, icon: 'percent' },
      { name: 'tickets', page: ticketsPage, also: '/bills', icon: 'receipt' },
      { name: 'reports', page: downlinePage, also: '/reports', icon: 'chart' },
    ],
  },
  {
    name: 'company',
    screens: [
      { name: 'announcements', page: announcementsPage, icon: 'bell' },
      { name: 'messages', page: officeAnnouncementsPage, icon: 'speakerphone' },
      { name: 'maintenance', page: officeMaintenancePage, icon: 'tools' },
      { name: 'staff', page: staffPage, icon: 'staff' },
      { name: 'audit', page: auditPage, icon: 'history' },
      { name: 'readiness', page: readinessPage, icon: 'ready' },
    ],
  },
  {
    name: 'account',
    screens: [
      { name: 'security', page: securityPage, icon: 'shield' },
      { name: 'sessions', page: sessionsPage, icon: 'devices' },
      { name: 'own_data', page: ownDataPage, icon: 'download' },
      { name: 'operators_manual', page: guidePage, also: '/manual', icon: 'book' },
    ],
  },
] as const satisfies readonly { name: string; screens: readonly Screen[] }[]

export type ScreenName = (typeof screenGroups)[number]['screens'][number]['name']

type NamedScreen = Screen & { name: ScreenName }

/**
 * The screen that a page belongs to, by their addresses. The last one wins, because a screen below another follows it in
 * the table.
 */
export function findScreen(pathname: string): NamedScreen | undefined {
  const isBelow = (path: string): boolean => `${pathname}/`.startsWith(`${path}/`)
  return screenGroups
    .flatMap(({ screens }): readonly NamedScreen[] => screens)
    .findLast(({ page, also }) => isBelow(page.path) || (also !== undefined && isBelow(also)))
}

/** The groups of the menu with the pages that the user may open. Empty groups are left out. */
export function navigationOf(user: Operator) {
  return screenGroups
    .map(({ name, screens }) => ({
      name,
      screens: screens.filter(({ page }) => mayOpen(user, page.staticData.access)),
    }))
    .filter(({ screens }) => screens.length > 0)
}
