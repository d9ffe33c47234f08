// The addresses of the pages: the router declares its routes by them, and whoever compares or takes apart an address does
// it here. Links name their page by its pattern, which the router's types check.

import { CONSOLE_BASE, isConsolePath, RESET_PASSWORD_PATH, VERIFY_EMAIL_PATH } from '@megalot/contract'
import { LOGIN_PATH, LOG_IN_STEPS_PATH, MAINTENANCE_PATH } from '../lib/page/shared-paths.ts'

export const paths = {
  lotto: '/',
  bet: '/bet/$product_code',
  bills: '/bills',
  deletedBills: '/bills/deleted',
  bill: '/bills/$order_id',
  reports: '/reports',
  winLoss: '/reports/win-loss/$period_code',
  balance: '/reports/balance',
  summary: '/reports/summary',
  awards: '/awards',
  statistics: '/awards/statistics',
  manual: '/manual',
  importHelp: '/manual/import',
  help: '/help',
  password: '/account/password',
  limits: '/account/limits',
  email: '/account/email',
  sessions: '/account/sessions',
  ownData: '/account/data',
  announcements: '/announcements',
  /** The operators' console and what lies below it, and where its pages were before. */
  console: '/console/$',
  office: '/office/$',
  auth: '/auth',
  login: LOGIN_PATH,
  logInSteps: LOG_IN_STEPS_PATH,
  register: '/auth/register',
  forgotPassword: '/auth/forgot-password',
  resetPassword: RESET_PASSWORD_PATH,
  verifyEmail: VERIFY_EMAIL_PATH,
  maintenance: MAINTENANCE_PATH,
  offline: '/offline',
  notFound: '/error/404',
  print: '/print',
} as const

/** Whether an address belongs to the log-in and the forms around it. */
export function isAuthPath(pathname: string): boolean {
  return pathname === paths.auth || pathname.startsWith(`${paths.auth}/`)
}

/** Whether the page is a place of its own, to which a log-in may return: no form on the way in, no page shown instead of one. */
export function isReturnPath(href: unknown): href is string {
  if (typeof href !== 'string' || !/^\/(?![/\\])/.test(href)) return false
  const pathname = href.replace(/[?#].*$/s, '')
  return !isAuthPath(pathname) && pathname !== paths.maintenance && pathname !== paths.offline
}

/**
 * The address of the console that shows what an address of the member app shows: pages that both have are found under
 * the same path, and what only members have leads to the console's first page.
 */
export function consoleHref(href: string): string {
  if (isConsolePath(href.replace(/[?#].*$/s, ''))) return href
  return /^\/($|\?|(bet|auth|account\/(limits|email))([/?]|$))/.test(href) ? CONSOLE_BASE : CONSOLE_BASE + href
}
