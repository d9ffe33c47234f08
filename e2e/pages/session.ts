import type { Page } from '@playwright/test'

/**
 * The session id the browser holds. A second log-in would end it, so that a journey which also calls the API as the
 * same member does so with the browser's own session.
 */
export async function readSessionId(page: Page): Promise<string> {
  const stored = await page.evaluate(() => Object.entries(localStorage))
  for (const [, text] of stored) {
    const found = /"session_id":"([^"]+)"/.exec(text)?.[1]
    if (found) return found
  }
  throw new Error('the browser holds no session')
}
