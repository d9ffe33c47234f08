// The addresses of the console's pages, below its base. Pages that the member app has too stand under the same path.

import { LOGIN_PATH, LOG_IN_STEPS_PATH, MAINTENANCE_PATH, SECURITY_PATH } from '../lib/page/shared-paths.ts'

export const consolePaths = {
  periods: '/',
  today: '/today',
  calendar: '/calendar',
  /** All pages of a market are below it; it is none itself. */
  markets: '/markets',
  market: '/markets/$product_code',
  risk: '/risk',
  people: '/people',
  newPerson: '/people/new',
  agentCodes: '/people/codes',
  person: '/people/$user_id',
  approvals: '/approvals',
  terms: '/terms',
  numbers: '/numbers',
  standingNumbers: '/numbers/standing',
  limitRules: '/numbers/rules',
  quotas: '/numbers/quotas',
  openMarkets: '/numbers/open',
  tickets: '/tickets',
  bills: '/bills',
  deletedBills: '/bills/deleted',
  bill: '/bills/$order_id',
  reports: '/reports',
  downline: '/downline',
  winLoss: '/reports/win-loss/$period_code',
  balance: '/reports/balance',
  summary: '/reports/summary',
  results: '/results',
  awards: '/awards',
  statistics: '/awards/statistics',
  messages: '/messages',
  announcements: '/announcements',
  maintenance: '/maintenance',
  manual: '/manual',
  importHelp: '/manual/import',
  /** The manual of the console. `/manual` is that of the member app. */
  guide: '/guide',
  staff: '/staff',
  audit: '/audit',
  readiness: '/readiness',
  signals: '/signals',
  password: '/account/password',
  security: SECURITY_PATH,
  sessions: '/account/sessions',
  ownData: '/account/data',
  /** Where the set-up address leads (`SETUP_PATH`). */
  setup: '/setup',
  /** What members are shown who come here. */
  members: '/members',
  /** What is shown instead of a page for which the user lacks the permission. */
  refused: '/refused',
  print: '/print',
} as const

/** Pages of the member app, loaded as documents. */
export const memberPaths = {
  home: '/',
  login: LOGIN_PATH,
  logInSteps: LOG_IN_STEPS_PATH,
  maintenance: MAINTENANCE_PATH,
} as const

const formerOfficePages: Readonly<Record<string, string>> = {
  bills: consolePaths.tickets,
  shares: consolePaths.people,
  awards: consolePaths.results,
  maintenance: consolePaths.maintenance,
  announcements: consolePaths.messages,
}

/** The page that was `/office/…` in the member app. */
export function formerOfficePath(page: string): string {
  return formerOfficePages[page] ?? consolePaths.periods
}
