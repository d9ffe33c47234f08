import { type Language, WEB_VERSION } from '@megalot/contract'
import type { Page } from '@playwright/test'
import { type Api, logInThroughApi } from '../api.ts'

/**
 * Signs the browser in without its log-in page, in the way the web stores a session. A second log-in would end this
 * session, so a journey that also calls the API as the same member uses the returned client.
 */
export async function signIn(page: Page, url: string, username: string, language: Language = 'th'): Promise<Api> {
  const api = await logInThroughApi(url, username, language)
  await openAs(page, api, language)
  return api
}

/** Gives the browser an existing session: the page and the program are the same user. */
export async function openAs(page: Page, api: Api, language: Language = 'th'): Promise<void> {
  // A reply of the server that loads nothing of the web.
  await page.goto(`${api.url}/live`)
  await page.evaluate(
    ([name, session_token, chosen]) => {
      localStorage.setItem(name, JSON.stringify({ state: { session_token, leave_reason: null }, version: 0 }))
      localStorage.setItem('megalot.language', chosen)
      // A known device has the application's fonts cached; a machine may have none for Thai.
      localStorage.setItem('megalot.letters', 'true')
    },
    [`megalot.session.${WEB_VERSION}`, api.sessionToken, language] as const,
  )
}

/** The session token in the browser, after it has logged in by itself. */
export async function readSessionToken(page: Page): Promise<string> {
  const stored = await page.evaluate(() => Object.entries(localStorage))
  for (const [, text] of stored) {
    const found = /"session_token":"([^"]+)"/.exec(text)?.[1]
    if (found) return found
  }
  throw new Error('the browser holds no session')
}
