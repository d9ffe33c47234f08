// Photographs every scene. The folder is in SCREENS_FOLDER: DEVICE/LANGUAGE-THEME/SCENE.png. With SCREENS_AS only those of these users,
// such as `visitor,member`.

import { type BrowserContext, expect } from '@playwright/test'
import { join } from 'node:path'
import { type Api, logInThroughApi } from '../api.ts'
import { settlePage, waitUntilThere } from '../check-screen.ts'
import { test } from '../fixtures.ts'
import { anyRound, type History, makeHistory } from '../history.ts'
import { newUsername } from '../pages/register-page.ts'
import { openAs } from '../pages/session.ts'
import { type Scene, scenes } from './scenes.ts'

const folder = process.env.SCREENS_FOLDER ?? ''
const shownTo = process.env.SCREENS_AS?.split(',')

/** Each device has a market of its own, whose shown period it opens. */
const markets: Readonly<Record<string, string>> = {
  'phone-360': 'germany',
  'phone-390': 'russia',
  tablet: 'singapore',
  desktop: 'china-pm',
}

/** Names and times that are not there yet, in parts that are. */
const placeholders = '[class*="_awaited_"], [class*="_bone_"]'

/** Of a list that grows while it is scrolled, the first part will do. */
const MAX_HEIGHT = 4_000

let history: Promise<History> | undefined
const sessions = new Map<string, Promise<Api>>()

for (const language of ['th', 'en'] as const)
  for (const theme of ['light', 'dark'] as const)
    test(`${language} ${theme}`, async ({ browser, url, office, contextOptions }, info) => {
      const market = markets[info.project.name]!
      const { viewport, isMobile, hasTouch, deviceScaleFactor } = info.project.use
      const isPhone = isMobile === true && viewport!.width < 800
      history ??= makeHistory(url, office, newUsername(info.project.name.replace('-', ''), 'scr'), market, () =>
        office.openFirstPeriod(market, anyRound(), 3 * 3_600_000),
      )
      const made = await history
      const sessionOf = (as: Scene['as']): Promise<Api> | undefined => {
        if (as === 'visitor') return undefined
        if (as === 'office') return Promise.resolve(office.apis[1])
        if (as === 'member') return Promise.resolve(made.api)
        const session = sessions.get(as) ?? logInThroughApi(url, 'agent01')
        sessions.set(as, session)
        return session
      }

      const photograph = async (
        context: BrowserContext,
        { name, as, path, prepare, isOffline }: Scene,
      ): Promise<void> => {
        const page = await context.newPage()
        const api = await sessionOf(as)
        if (api !== undefined) await openAs(page, api, language)
        if (isOffline === true) await page.route('**/api/**', (route) => route.abort())
        await page.goto(path(made))
        await waitUntilThere(page)
        await prepare?.(page, isPhone, language)
        await waitUntilThere(page)
        await expect(page.locator(placeholders)).toHaveCount(0)
        await settlePage(page)
        const file = join(folder, info.project.name, `${language}-${theme}`, `${name}.png`)
        // The page as one sheet, with the bars at its edges; a dialog and the bet page of a phone fill the screen as they are.
        const { height, hasDialog } = await page.evaluate(() => ({
          height: document.documentElement.scrollHeight,
          hasDialog: document.querySelector('dialog[open]') !== null,
        }))
        const isWhole = !hasDialog && !(isPhone && name.startsWith('bet')) && height > viewport!.height
        if (isWhole) await page.setViewportSize({ width: viewport!.width, height: Math.min(height, MAX_HEIGHT) })
        await page.screenshot({ path: file })
        await page.close()
      }

      for (const scene of scenes) {
        if (shownTo !== undefined && !shownTo.includes(scene.as)) continue
        if (scene.isOnlyFor !== undefined && (scene.isOnlyFor === 'phone') !== isPhone) continue
        const context = await browser.newContext({
          ...contextOptions,
          baseURL: url,
          viewport: viewport!,
          isMobile: isMobile ?? false,
          hasTouch: hasTouch ?? false,
          deviceScaleFactor: deviceScaleFactor ?? 1,
          colorScheme: theme,
          locale: 'th-TH',
          timezoneId: 'Asia/Bangkok',
          reducedMotion: 'reduce',
          serviceWorkers: 'block',
        })
        await context.addInitScript((chosen) => {
          localStorage.setItem('megalot.letters', 'true')
          localStorage.setItem('megalot.language', chosen)
        }, language)
        // A scene that cannot be photographed does not keep the others from it.
        await test
          .step(scene.name, () => photograph(context, scene))
          .catch((error: unknown) => {
            info.annotations.push({ type: scene.name, description: String(error) })
            console.error(`${info.project.name} ${language} ${theme} ${scene.name}: ${String(error).slice(0, 300)}`)
          })
        await context.close()
      }
      const missing = info.annotations.map(({ type }) => type)
      if (missing.length > 0) throw new Error(`not photographed: ${missing.join(', ')}`)
    })
