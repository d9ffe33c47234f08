// People of the house in Chromium, over TLS.

import { type BrowserContext, chromium, type Browser, type Page } from '@playwright/test'
import { findChromium, launchArguments } from '../../scripts/find-chromium.mjs'
import { operatorWordsOf } from '../../e2e/pages/operator-words.ts'
import { readSessionToken } from '../../e2e/pages/session.ts'
import { wordsOf } from '../../e2e/pages/words.ts'
import { type House, url } from './house.ts'

const words = { ...wordsOf('en'), ...operatorWordsOf('en') }

export async function openBrowser(house: House): Promise<Browser> {
  const { executablePath, env } = await findChromium()
  const inherited = Object.entries(process.env).flatMap(([name, value]) => (value ? [[name, value]] : []))
  return chromium.launch({
    executablePath,
    args: [...launchArguments, house.trustOption()],
    env: { ...Object.fromEntries(inherited), ...env },
  })
}

/** A person's device with an authenticator that verifies its user by itself. */
export async function openDevice(browser: Browser): Promise<Page> {
  const context: BrowserContext = await browser.newContext({ locale: 'en-GB', timezoneId: 'Asia/Bangkok' })
  await context.addInitScript(() => localStorage.setItem('megalot.language', 'en'))
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  const client = await context.newCDPSession(page)
  await client.send('WebAuthn.enable')
  await client.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return page
}

/** Logs in on the page, whose device proves itself because nobody here reads the picture. */
export async function logIn(page: Page, username: string, password: string): Promise<void> {
  await page.goto(`${url}/auth/login`)
  await page.getByLabel(words.username, { exact: true }).fill(username)
  await page.getByLabel(words.password, { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Cannot see the picture?' }).click()
  await page.getByText('Done. No picture code is needed').waitFor()
  await page.getByRole('button', { name: words.log_in, exact: true }).click()
}

/** Replaces a one-time password. */
export async function setOwnPassword(page: Page, given: string, own: string): Promise<void> {
  await page.getByLabel(words.given_password, { exact: true }).fill(given)
  await page.getByLabel(words.new_password, { exact: true }).fill(own)
  await page.getByLabel(words.confirm_password, { exact: true }).fill(own)
  await page.getByRole('button', { name: words.save_password }).click()
}

export async function addPasskey(page: Page, password: string): Promise<void> {
  await page.getByRole('button', { name: words.add_passkey }).click()
  await page.getByLabel(words.your_password, { exact: true }).fill(password)
  await page.getByRole('button', { name: words.next }).click()
  await page.getByRole('button', { name: words.kept }).click()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
}

export { readSessionToken }
