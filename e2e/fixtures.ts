// The fixtures of every journey: the application's address, the office, and a member of its own.

import type { Language, Period } from '@megalot/contract'
import { test as base, expect } from '@playwright/test'
import type { Browser } from '@playwright/test'
import { mkdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Api } from './api.ts'
import { Office } from './office.ts'
import { AppDatabase } from './app-database.ts'
import { takeConsoleErrors, watchBrowser } from './console-errors.ts'

interface Fixtures {
  url: string
  office: Office
  /**
   * Opens an extra period of a market, and makes sure that it is the one the bet page shows, whatever the timetable has
   * at this time of day. Until the journey ends no other journey uses this market, because journeys run in parallel.
   */
  openShownPeriod: (product_code: string, round: number) => Promise<Period>
  /** The folder into which the application writes mail. */
  outbox: string
  /** True where the journey runs as on a phone. */
  isPhone: boolean
  /** Whether a journey fails at its end where a page has written an error into the console: `test.use({ checksConsole: true })`. */
  checksConsole: boolean
  /** Runs by itself. */
  quietConsole: undefined
}

const projectNames = ['api', 'phone', 'desktop'] as const

/** The first of each project's own demo members: four for the API, ten each for phone and desktop. */
const firstMembers: Readonly<Record<string, number>> = { api: 1, phone: 5, desktop: 15 }

/**
 * The demo member of a journey. A user has one live session and journeys run in parallel, so each file of journeys has
 * slots of its own.
 */
export function memberOf(projectName: string, slot: 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10): string {
  const first = firstMembers[projectName]
  if (first === undefined || (projectName === 'api' && slot > 4))
    throw new Error(`no member for ${projectName} ${slot}`)
  return `member${String(first + slot - 1).padStart(2, '0')}`
}

/** A round number no other journey uses for the same market and day. */
export function roundOf(projectName: string, slot: number): number {
  return 900 + projectNames.findIndex((name) => name === projectName) * 10 + slot
}

/**
 * The tag of a journey that runs in both languages, each on one device: the checks of texts do not depend on the
 * device, nor those of the device on the language. `playwright.config.ts` reads the tags. `npm run test:slow` runs some
 * journeys with the languages swapped, so that each language has run on each device.
 */
export function tagOf(language: Language, deviceOfThai: 'th-phone' | 'th-desktop'): '@phone-only' | '@desktop-only' {
  const isThai = (language === 'th') === (process.env.E2E_LANGUAGES !== 'swapped')
  return isThai === (deviceOfThai === 'th-phone') ? '@phone-only' : '@desktop-only'
}

/** The language of journeys that run on the desktop alone, in one language at a time: `npm run test:slow` runs them in the other one. */
export function desktopLanguage(usual: Language): Language {
  if (process.env.E2E_LANGUAGES !== 'swapped') return usual
  return usual === 'th' ? 'en' : 'th'
}

function required(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`${name} is set by app.ts, which must have run before`)
  return value
}

/**
 * The address of the application with a house of uplines and history, which all journeys of a run share. Until `leave`
 * is called no other process runs journeys of this file there: a user has one live session.
 */
export async function enterHouse(file: string): Promise<{ url: string; leave: () => void }> {
  const reply = await fetch(required('E2E_HOUSE'))
  const url = await reply.text()
  if (!reply.ok) throw new Error(`the application with history did not start: ${url}`)
  const lock = join(tmpdir(), `megalot-house-${new URL(url).port}-${file}`)
  await takeLock(lock)
  return { url, leave: () => rmSync(lock, { recursive: true, force: true }) }
}

/** A folder is created by one process only; the others wait until it is gone. */
async function takeLock(lock: string): Promise<void> {
  for (;;) {
    try {
      mkdirSync(lock)
      return
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

export const test = base.extend<Fixtures, { browser: Browser }>({
  browser: [
    async ({ browser }, use) => {
      watchBrowser(browser)
      await use(browser)
    },
    { scope: 'worker' },
  ],
  // A route that a page asks for again while its journey ends would fail the journey with the closed page.
  page: async ({ page }, use) => {
    await use(page)
    await page.unrouteAll({ behavior: 'ignoreErrors' })
  },
  checksConsole: [false, { option: true }],
  quietConsole: [
    async ({ checksConsole }, use) => {
      await use(undefined)
      const errors = takeConsoleErrors()
      if (checksConsole) expect(errors, 'errors in the console of the browser').toEqual([])
    },
    { auto: true },
  ],
  // Playwright requires this form of the first parameter even where nothing is taken from it.
  // oxlint-disable-next-line no-empty-pattern
  url: async ({}, use) => use(required('E2E_URL')),
  // oxlint-disable-next-line no-empty-pattern
  outbox: async ({}, use) => use(required('E2E_OUTBOX')),
  office: async ({ url }, use) => {
    const apis = required('E2E_OFFICE_SESSIONS')
      .split(' ')
      .map((sessionToken) => {
        const api = new Api(url, 'en')
        api.sessionToken = sessionToken
        return api
      })
    const [first, second] = apis
    if (!first || !second) throw new Error('the office has two users')
    await use(new Office(first, second, new AppDatabase(required('E2E_DATA_DIR'))))
  },
  openShownPeriod: async ({ url, office }, use) => {
    const locks: string[] = []
    const opened: Period[] = []
    await use(async (product_code, round) => {
      const lock = join(tmpdir(), `megalot-alone-${new URL(url).port}-${product_code}`)
      await takeLock(lock)
      locks.push(lock)
      const period = await office.openFirstPeriod(product_code, round)
      opened.push(period)
      return period
    })
    for (const { period_code } of opened) await office.closeIfOpen(period_code)
    for (const lock of locks) rmSync(lock, { recursive: true })
  },
  isPhone: async ({ isMobile }, use) => use(isMobile),
})
export { expect } from '@playwright/test'
