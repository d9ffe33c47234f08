// Search parameters of the downline reports: the report, and the open node of the tree.

import { reportSubject, settleSubject } from '../../../shared/reports/report-search.ts'
import type { ReportSearch } from '../../../shared/reports/report-search.ts'
import { dropUndefined } from '../../../lib/search/drop-undefined.ts'
import { matching, oneOf, type SearchIn, searchOf } from '../../../lib/search/search-of.ts'
import { gridSearch } from '../../lists/grid-search.ts'

export const downlineReports = ['tree', 'outstanding', 'types', 'winners', 'changed', 'close'] as const
export type DownlineReport = (typeof downlineReports)[number]

export const readDownlineSearch = searchOf(
  {
    ...gridSearch,
    ...reportSubject,
    /** Absent: the tree of win and loss. */
    report: oneOf('outstanding', 'types', 'winners', 'changed', 'close'),
    /** From the top of the tree down to the user that is open: `12.agent01,m45.member01`, where `m` marks a member. */
    path: matching(/^m?\d{1,15}\.[A-Za-z0-9]{1,255}(,m?\d{1,15}\.[A-Za-z0-9]{1,255}){0,9}$/),
    /** The period of the member that is open. */
    period_code: matching(/^(?=.{1,60}$)[a-z0-9]+(-[a-z0-9]+)*$/),
  },
  settleSubject,
)
export type DownlineSearch = SearchIn<typeof readDownlineSearch>

/** Parameters common to all reports: days, markets and user. */
export function subjectOf({ date_from, date_to, product_code, user_id, username }: ReportSearch): DownlineSearch {
  return dropUndefined({ date_from, date_to, product_code, user_id, username })
}

export interface PathUser {
  user_id: string
  username: string
  isMember: boolean
}

export function usersOf({ path }: DownlineSearch): readonly PathUser[] {
  return (path ?? '')
    .split(',')
    .filter(Boolean)
    .map((step) => {
      const dot = step.indexOf('.')
      const isMember = step.startsWith('m')
      return { user_id: step.slice(isMember ? 1 : 0, dot), username: step.slice(dot + 1), isMember }
    })
}

export function writePath(users: readonly PathUser[]): string | undefined {
  if (users.length === 0) return undefined
  return users.map(({ user_id, username, isMember }) => `${isMember ? 'm' : ''}${user_id}.${username}`).join(',')
}
