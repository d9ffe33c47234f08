// Which pages the console offers to a user, in the order of its menu. Menu, guards and the command palette read this table.

import type { Permission, User } from '@megalot/contract'
import type { ConsoleIcon } from './navigation-icons.ts'
import { consolePaths } from './paths.ts'

type Operator = Pick<User, 'level' | 'permissions'>

/**
 * What a user may see and do, as the server said with the session; the server refuses what is not permitted in any case.
 * Announcements are the company's alone, whoever else has the area.
 */
export function permissionsOf({ level, permissions }: Operator): ReadonlySet<Permission> {
  return new Set(permissions.filter((permission) => level === 'company' || !permission.startsWith('messages.')))
}

export interface Screen {
  name: string
  to: string
  icon: ConsoleIcon
  /** None: every user of the console. */
  needs?: Permission
}

/** The menu, in groups. */
export const screenGroups = [
  {
    name: 'day',
    screens: [
      { name: 'periods', to: consolePaths.periods, icon: 'calendar' },
      { name: 'results', to: consolePaths.results, icon: 'edit', needs: 'results.do' },
      { name: 'awards', to: consolePaths.awards, icon: 'trophy' },
    ],
  },
  {
    name: 'work',
    screens: [
      { name: 'people', to: consolePaths.people, icon: 'users', needs: 'people.view' },
      { name: 'bills', to: consolePaths.bills, icon: 'receipt', needs: 'tickets.view' },
      { name: 'tickets', to: consolePaths.tickets, icon: 'trash', needs: 'tickets.do' },
      { name: 'reports', to: consolePaths.reports, icon: 'chart', needs: 'reports.view' },
    ],
  },
  {
    name: 'company',
    screens: [
      { name: 'announcements', to: consolePaths.announcements, icon: 'bell' },
      { name: 'messages', to: consolePaths.messages, icon: 'speakerphone', needs: 'messages.do' },
      { name: 'maintenance', to: consolePaths.maintenance, icon: 'tools', needs: 'maintenance.do' },
      { name: 'manual', to: consolePaths.manual, icon: 'book' },
    ],
  },
] as const satisfies readonly { name: string; screens: readonly Screen[] }[]

export type ScreenName = (typeof screenGroups)[number]['screens'][number]['name']

/** The groups of the menu with what the user may open; groups with nothing in them are left out. */
export function navigationOf(user: Operator) {
  const permissions = permissionsOf(user)
  const isOffered = (screen: Screen): boolean => screen.needs === undefined || permissions.has(screen.needs)
  return screenGroups
    .map(({ name, screens }) => ({ name, screens: screens.filter(isOffered) }))
    .filter(({ screens }) => screens.length > 0)
}
