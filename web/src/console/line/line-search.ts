// What the address of the line reports says: which report, and how far down the tree.

import { readReportSearch } from '../../features/reports/report-search.ts'
import type { ReportSearch } from '../../features/reports/report-search.ts'
import { readGridSearch } from '../grid-search.ts'
import type { GridSearch } from '../grid-search.ts'

export const lineReports = ['tree', 'outstanding', 'winners', 'changed', 'close'] as const
export type LineReport = (typeof lineReports)[number]

export interface LineSearch extends GridSearch, Omit<ReportSearch, 'filter' | 'group_by' | 'user_id' | 'username'> {
  /** Absent: the tree of win and loss. */
  report?: LineReport
  /** The users from the top of the tree down to the one that is open, as `12.agent01` with commas between. */
  path?: string
  /** The period of the member that is open. */
  period_code?: string
}

const PATH = /^\d{1,15}\.[\w-]{1,255}(,\d{1,15}\.[\w-]{1,255}){0,9}$/
const PERIOD = /^[a-z0-9]+(-[a-z0-9]+)*$/

export function readLineSearch(raw: Record<string, unknown>): LineSearch {
  const { date_from, date_to, product_code } = readReportSearch(raw)
  const { path, period_code } = raw
  const report = lineReports.find((one) => one === raw['report'])
  return {
    ...readGridSearch(raw),
    ...(date_from === undefined ? {} : { date_from }),
    ...(date_to === undefined ? {} : { date_to }),
    ...(product_code === undefined ? {} : { product_code }),
    ...(report === undefined || report === 'tree' ? {} : { report }),
    ...(typeof path === 'string' && PATH.test(path) ? { path } : {}),
    ...(typeof period_code === 'string' && period_code.length <= 60 && PERIOD.test(period_code) ? { period_code } : {}),
  }
}

export interface PathUser {
  user_id: string
  username: string
}

export function usersOf({ path }: LineSearch): readonly PathUser[] {
  return (path ?? '')
    .split(',')
    .filter(Boolean)
    .map((step) => {
      const dot = step.indexOf('.')
      return { user_id: step.slice(0, dot), username: step.slice(dot + 1) }
    })
}

export function writePath(users: readonly PathUser[]): string | undefined {
  return users.length === 0 ? undefined : users.map(({ user_id, username }) => `${user_id}.${username}`).join(',')
}
