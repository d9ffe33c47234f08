// The table of all routes, by name.

import type { Method, Route } from '../route.ts'
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
import * as money from './money.ts'
import * as notices from './notices.ts'
import * as limitRules from './limit-rules.ts'
import * as orders from './orders.ts'
import * as ownLists from './own-lists.ts'
import * as savedViews from './saved-views.ts'
import * as people from './people.ts'
import * as personalData from './personal-data.ts'
import * as playLimits from './play-limits.ts'
import * as push from './push.ts'
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
import * as vitals from './vitals.ts'

type Rooms = typeof announcements &
  typeof approvals &
  typeof audit &
  typeof awards &
  typeof book &
  typeof credentials &
  typeof downline &
  typeof drawDay &
  typeof invariants &
  typeof live &
  typeof maintenance &
  typeof markets &
  typeof money &
  typeof notices &
  typeof limitRules &
  typeof orders &
  typeof people &
  typeof personalData &
  typeof ownLists &
  typeof savedViews &
  typeof playLimits &
  typeof push &
  typeof quotas &
  typeof readiness &
  typeof reports &
  typeof downlineReports &
  typeof reportFiles &
  typeof secondFactor &
  typeof sessions &
  typeof setup &
  typeof signals &
  typeof staff &
  typeof timetables &
  typeof vitals

/** The name of a row, which its constant has too. */
export type RouteName = { [N in keyof Rooms]: Rooms[N] extends Route ? N : never }[keyof Rooms]
/** The rows by their names. */
export type Rows = Pick<Rooms, RouteName>

/** What a caller knows of a row; its types follow from the name. */
export interface Call<N extends RouteName = RouteName> {
  readonly name: N
  readonly method: Method
  readonly path: string
}

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
  ownLists,
  personalData,
  downline,
  people,
  staff,
  markets,
  money,
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
  push,
  announcements,
  maintenance,
  audit,
  savedViews,
  live,
  vitals,
].flatMap((room) => Object.values(room).filter(isRoute))
