// The built pages of the web, and which of them serves a path. Server and service worker use the same functions, so a
// page does not depend on which of them served it.

import type { Language } from './refusals.ts'

/** Cookie with the language of a page's first paint; the web sets it when the user switches language. */
export const LANGUAGE_COOKIE = 'megalot_language'
/** The same cookie over TLS. No other host and no page over plain HTTP can set a cookie with this prefix. */
export const SECURE_LANGUAGE_COOKIE = `__Host-${LANGUAGE_COOKIE}`

/**
 * Pages of the member app. `index`: log-in and all other pages before it; `bet`: a market's bet page; `inside`: all
 * other pages of a signed-in user.
 */
export const webPages = ['index', 'inside', 'bet'] as const
export type WebPage = (typeof webPages)[number]

/** The page of the console where the first owner is made, with the token in the fragment. */
export const SETUP_PATH = '/console/setup'
/** Pages that mailed links open, with the token in the fragment. */
export const RESET_PASSWORD_PATH = '/auth/reset-password'
export const VERIFY_EMAIL_PATH = '/auth/verify-email'

/** Base path of the operators' console, a separate application with one page for both languages. */
export const CONSOLE_BASE = '/console'
export const CONSOLE_FILE = 'console.html'

/**
 * Whether a path belongs to the console.
 * @param pathname without query
 */
export function isConsolePath(pathname: string): boolean {
  return pathname === CONSOLE_BASE || pathname.startsWith(`${CONSOLE_BASE}/`)
}

/** The member app's page for a path. Users without a session are redirected from `/` to the log-in. */
export function webPageOf(pathname: string): WebPage {
  if (pathname === '/' || /^\/(auth|error)(\/|$)/.test(pathname)) return 'index'
  return pathname.startsWith('/bet/') ? 'bet' : 'inside'
}

/** Each page is built in these languages. */
export const pageLanguages = ['th', 'en'] as const satisfies readonly Language[]

/** The page's file in the build. Thai is the default language. */
export function fileOfWebPage(page: WebPage, language: Language): string {
  return language === 'th' ? `${page}.html` : `${page}.${language}.html`
}

/** The language of a cookie's value; Thai without one. */
export function languageOfCookie(value: string | undefined): Language {
  return value === 'en' ? 'en' : 'th'
}

/** The language in a `Cookie` header; Thai without one. */
export function languageOfCookies(header: string | undefined): Language {
  const pairs = header?.split(/;\s*/) ?? []
  const valueOf = (name: string) => pairs.find((one) => one.startsWith(`${name}=`))?.slice(name.length + 1)
  return languageOfCookie(valueOf(SECURE_LANGUAGE_COOKIE) ?? valueOf(LANGUAGE_COOKIE))
}
