// The built pages of the web, and which of them belongs to an address. The server and the service worker choose by the
// same functions, so that a page never depends on who served it.

import type { Language } from './refusals.ts'

/** Names the language in which the first frame of a page is served; the web writes it when the language is switched. */
export const LANGUAGE_COOKIE = 'megalot_language'
/** The same on a page over TLS: no other host and no page over plain HTTP can set a cookie of this name. */
export const SECURE_LANGUAGE_COOKIE = `__Host-${LANGUAGE_COOKIE}`

/** The pages of the member app. `index`: log-in and everything outside; `bet`: a market's bet page; `inside`: the other pages of a signed-in user. */
export const webPages = ['index', 'inside', 'bet'] as const
export type WebPage = (typeof webPages)[number]

/** The pages to which links in mails lead, with their token in the fragment. */
export const RESET_PASSWORD_PATH = '/auth/reset-password'
export const VERIFY_EMAIL_PATH = '/auth/verify-email'

/** Below this address lies the operators' console: an application of its own with one page for both languages. */
export const CONSOLE_BASE = '/console'
export const CONSOLE_FILE = 'console.html'

/** Whether an address belongs to the console. @param pathname without query */
export function isConsolePath(pathname: string): boolean {
  return pathname === CONSOLE_BASE || pathname.startsWith(`${CONSOLE_BASE}/`)
}

/** The page of the member app that is served for an address. Users without a session pass through `/` to the log-in. */
export function webPageOf(pathname: string): WebPage {
  if (pathname === '/' || /^\/(auth|error)(\/|$)/.test(pathname)) return 'index'
  return pathname.startsWith('/bet/') ? 'bet' : 'inside'
}

/** Each page is built in these languages. */
export const pageLanguages = ['th', 'en'] as const satisfies readonly Language[]

/** The file of a page in the build. Thai is the default language. */
export function fileOfWebPage(page: WebPage, language: Language): string {
  return language === 'th' ? `${page}.html` : `${page}.${language}.html`
}

/** The language of a cookie's value, Thai without one. */
export function languageOfCookie(value: string | undefined): Language {
  return value === 'en' ? 'en' : 'th'
}

/** The same of a `Cookie` header. */
export function languageOfCookies(header: string | undefined): Language {
  const pairs = header?.split(/;\s*/) ?? []
  const valueOf = (name: string) => pairs.find((one) => one.startsWith(`${name}=`))?.slice(name.length + 1)
  return languageOfCookie(valueOf(SECURE_LANGUAGE_COOKIE) ?? valueOf(LANGUAGE_COOKIE))
}
