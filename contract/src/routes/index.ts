// The table of all routes, by name.

import type { Route } from '../route.ts'
import * as announcements from './announcements.ts'
import * as approvals from './approvals.ts'
import * as audit from './audit.ts'
import * as awards from './awards.ts'
import * as book from './book.ts'
import * as credentials from './credentials.ts'
import * as downline from './downline.ts'
import * as drawDay from './draw-day.ts'
import * as invariants from './invariants.ts'
import * as live from './live.ts'
import * as maintenance from './maintenance.ts'
import * as markets from './markets.ts'
import * as notices from './notices.ts'
import * as limitRules from './limit-rules.ts'
import * as orders from './orders.ts'
import * as people from './people.ts'
import * as personalData from './personal-data.ts'
import * as playLimits from './play-limits.ts'
import * as quotas from './quotas.ts'
import * as readiness from './readiness.ts'
import * as reports from './reports.ts'
import * as downlineReports from './downline-reports.ts'
import * as reportFiles from './report-files.ts'
import * as secondFactor from './second-factor.ts'
import * as sessions from './sessions.ts'
import * as setup from './setup.ts'
import * as signals from './signals.ts'
import * as staff from './staff.ts'
import * as timetables from './timetables.ts'

function isRoute(value: unknown): value is Route {
  return typeof value === 'object' && value !== null && 'method' in value && 'access' in value
}

/** All rows, in the order in which the OpenAPI page lists them. */
export const routes: readonly Route[] = [
  sessions,
  secondFactor,
  credentials,
  setup,
  playLimits,
  personalData,
  downline,
  people,
  staff,
  markets,
  timetables,
  quotas,
  limitRules,
  orders,
  book,
  awards,
  approvals,
  drawDay,
  reports,
  downlineReports,
  reportFiles,
  signals,
  invariants,
  readiness,
  notices,
  announcements,
  maintenance,
  audit,
  live,
].flatMap((room) => Object.values(room).filter(isRoute))
