// Goal: a device without Thai fonts never shows a box in place of a letter: each page waits for the bundled font.

import { chromium, type Page } from '@playwright/test'
import { findPackagedChromium, LATIN_ONLY, launchArguments } from '../../scripts/find-chromium.mjs'
import { logInThroughApi } from '../api.ts'
import { expect, memberOf, test } from '../fixtures.ts'
import { openAs } from '../pages/session.ts'

const { executablePath, env } = await findPackagedChromium()

/** Whether the page draws a narrow Thai letter as wide as a wide one: as boxes. */
async function drawsBoxes(page: Page): Promise<boolean> {
  const [narrow, wide] = await page.evaluate(() =>
    ['เ', 'ฌ'].map((letter) => {
      const span = document.createElement('span')
      span.textContent = letter.repeat(20)
      document.body.append(span)
      const { width } = span.getBoundingClientRect()
      span.remove()
      return width
    }),
  )
  return narrow === wide
}

function withResolvers(): { promise: Promise<void>; resolve: () => void } {
  const made: { resolve?: () => void } = {}
  const promise = new Promise<void>((resolve) => (made.resolve = resolve))
  return { promise, resolve: () => made.resolve!() }
}

const firstPages = [
  '/auth/login',
  '/auth/register',
  '/auth/forgot-password',
  '/',
  '/bills',
  '/bet/thai-government',
  '/console',
]

for (const language of ['th', 'en'] as const)
  test(`without Thai fonts, every first page in ${language} waits for the letters`, async ({ url }, info) => {
    const member = await logInThroughApi(url, memberOf(info.project.name, 4))
    const browser = await chromium.launch({
      executablePath,
      args: launchArguments,
      env: { ...(process.env as Record<string, string>), ...env, FONTCONFIG_FILE: LATIN_ONLY },
    })
    try {
      for (const path of firstPages) {
        const context = await browser.newContext({ viewport: { width: 360, height: 740 } })
        await context.addCookies([{ name: 'megalot_language', value: language, url }])
        const page = await context.newPage()
        if (path === '/bills' || path.startsWith('/bet/')) await openAs(page, member, language)
        else await page.goto(`${url}/live`)
        await page.evaluate((chosen) => {
          localStorage.setItem('megalot.language', chosen)
          localStorage.removeItem('megalot.letters')
        }, language)
        const { promise: isAllowed, resolve: sendFont } = withResolvers()
        await page.route(/\.woff2$/, async (route) => {
          await isAllowed
          await route.continue()
        })
        const isFontRequested = page.waitForRequest(/thai-wght.*\.woff2$/)
        await page.goto(url + path, { waitUntil: 'commit' })
        await isFontRequested
        await expect(page.locator('body'), path).toBeHidden()
        // The page may still lead to another one, such as the log-in.
        await expect.poll(() => drawsBoxes(page).catch(() => null), path).toBe(true)
        sendFont()
        await expect(page.locator('body'), path).toBeVisible()
        await expect.poll(() => drawsBoxes(page).catch(() => null), path).toBe(false)
        await context.close()
      }
    } finally {
      await browser.close()
    }
  })
