import type { Language } from '@megalot/contract'
import type { messages as account } from './th/account.ts'
import type { messages as announcements } from './th/announcements.ts'
import type { messages as approvals } from './th/approvals.ts'
import type { messages as audit } from './th/audit.ts'
import type { messages as guide } from './th/guide.ts'
import type { messages as sessions } from './th/sessions.ts'
import type { messages as signals } from './th/signals.ts'
import type { messages as staff } from './th/staff.ts'
import type { messages as auth } from './th/auth.ts'
import type { messages as awards } from './th/awards.ts'
import type { messages as away } from './th/away.ts'
import type { messages as bet } from './th/bet.ts'
import type { messages as bills } from './th/bills.ts'
import type { messages as calendar } from './th/calendar.ts'
import type { messages as changes } from './th/changes.ts'
import type { messages as common } from './th/common.ts'
import type { messages as console } from './th/console.ts'
import type { messages as credentials } from './th/credentials.ts'
import type { messages as day } from './th/day.ts'
import type { messages as decision } from './th/decision.ts'
import type { messages as entrance } from './th/entrance.ts'
import type { messages as entry } from './th/entry.ts'
import type { messages as factor } from './th/factor.ts'
import type { messages as grid } from './th/grid.ts'
import type { messages as downline } from './th/downline.ts'
import type { messages as invariants } from './th/invariants.ts'
import type { messages as lotto } from './th/lotto.ts'
import type { messages as manual } from './th/manual.ts'
import type { messages as numbers } from './th/numbers.ts'
import type { messages as office } from './th/office.ts'
import type { messages as news } from './th/news.ts'
import type { messages as oversight } from './th/oversight.ts'
import type { messages as palette } from './th/palette.ts'
import type { messages as people } from './th/people.ts'
import type { messages as periods } from './th/periods.ts'
import type { messages as print } from './th/print.ts'
import type { messages as readiness } from './th/readiness.ts'
import type { messages as reports } from './th/reports.ts'
import type { messages as risk } from './th/risk.ts'
import type { messages as setup } from './th/setup.ts'
import type { messages as shell } from './th/shell.ts'
import type { messages as terms } from './th/terms.ts'

/** All areas. Thai is written first and gives the keys; English must have the same. */
export interface Messages {
  account: typeof account
  announcements: typeof announcements
  approvals: typeof approvals
  audit: typeof audit
  guide: typeof guide
  sessions: typeof sessions
  signals: typeof signals
  readiness: typeof readiness
  setup: typeof setup
  staff: typeof staff
  auth: typeof auth
  awards: typeof awards
  away: typeof away
  bet: typeof bet
  bills: typeof bills
  calendar: typeof calendar
  changes: typeof changes
  common: typeof common
  console: typeof console
  credentials: typeof credentials
  day: typeof day
  decision: typeof decision
  entrance: typeof entrance
  entry: typeof entry
  factor: typeof factor
  grid: typeof grid
  downline: typeof downline
  invariants: typeof invariants
  lotto: typeof lotto
  manual: typeof manual
  numbers: typeof numbers
  office: typeof office
  news: typeof news
  oversight: typeof oversight
  palette: typeof palette
  people: typeof people
  periods: typeof periods
  print: typeof print
  reports: typeof reports
  risk: typeof risk
  shell: typeof shell
  terms: typeof terms
}
export type Area = keyof Messages

/** The same keys with other words. */
export type SameKeys<T> = { readonly [K in keyof T]: T[K] extends string ? string : SameKeys<T[K]> }

declare module 'use-intl' {
  interface AppConfig {
    Messages: Messages
    Locale: Language
  }
}
