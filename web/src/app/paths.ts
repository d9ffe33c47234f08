// The addresses of the pages: the router declares its routes by them, and whoever compares or takes apart an address does
// it here. Links name their page by its pattern, which the router's types check.

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
  announcements: '/announcements',
  manageBills: '/office/bills',
  awardEntry: '/office/awards',
  shares: '/office/shares',
  officeMaintenance: '/office/maintenance',
  officeAnnouncements: '/office/announcements',
  auth: '/auth',
  login: '/auth/login',
  register: '/auth/register',
  forgotPassword: '/auth/forgot-password',
  resetPassword: '/auth/reset-password',
  maintenance: '/maintenance',
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
