// Addresses that code compares, parses, or opens in the other application.
// Links name a page by its path, which the router's types check.

import { CONSOLE_BASE, isConsolePath } from '@megalot/contract/browser'

export const AUTH_PATH = '/auth'
export const LOGIN_PATH = '/auth/login'
/** The steps after the password: a second factor, replacing a one-time password. */
export const LOG_IN_STEPS_PATH = '/auth/steps'
export const MAINTENANCE_PATH = '/maintenance'
export const OFFLINE_PATH = '/offline'

/** The console's page of second factors, below its base. */
export const SECURITY_PATH = '/account/security'
/** The same as an address of the member app, where an operator has to enrol a factor. */
export const ENROLMENT_HREF = `${CONSOLE_BASE}${SECURITY_PATH}` as const

/** Whether an address belongs to the log-in and the forms around it. */
export function isAuthPath(pathname: string): boolean {
  return pathname === AUTH_PATH || pathname.startsWith(`${AUTH_PATH}/`)
}

/** Whether the page is a place of its own, to which a log-in may return: no form on the way in, no page shown instead of one. */
export function isReturnPath(href: unknown): href is string {
  if (typeof href !== 'string' || !/^\/(?![/\\])/.test(href)) return false
  const pathname = href.replace(/[?#].*$/s, '')
  return !isAuthPath(pathname) && pathname !== MAINTENANCE_PATH && pathname !== OFFLINE_PATH
}

/**
 * The address of the console that shows what an address of the member app shows: pages that both have are found under
 * the same path, and what only members have leads to the console's first page.
 */
export function consoleHref(href: string): string {
  if (isConsolePath(href.replace(/[?#].*$/s, ''))) return href
  return /^\/($|\?|(bet|auth|account\/(limits|email))([/?]|$))/.test(href) ? CONSOLE_BASE : CONSOLE_BASE + href
}

/** The address to which a log-in returns, read out of an address. */
export function readBack({ back }: Record<string, unknown>): { back?: string } {
  return isReturnPath(back) ? { back } : {}
}

export function betPath(product_code: string): string {
  return '/bet/$product_code'.replace('$product_code', product_code)
}

/** The market of a bet page's address; undefined for other addresses. */
export function readBetPath(pathname: string): string | undefined {
  return /^\/bet\/([\w-]+)$/.exec(pathname)?.[1]
}

export function billPath(order_id: number): string {
  return '/bills/$order_id'.replace('$order_id', String(order_id))
}
