// Goal: a member who sends a ticket while the service is away keeps it, reads so calmly, and gets it once when the service is back.
// On an application of its own, which is killed with its database.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Language, listPeriodOrders } from '@megalot/contract'
import {
  findFreePort,
  findSurvivors,
  type LaunchedApp,
  launchApp,
  listDescendants,
  waitUntilReady,
} from '../../scripts/run-app.mjs'
import { captchaAnswer, logInThroughApi } from '../api.ts'
import { AppDatabase } from '../app-database.ts'
import { checkScreen } from '../check-screen.ts'
import { expect, tagOf, test } from '../fixtures.ts'
import { intercept } from '../intercept.ts'
import { Office } from '../office.ts'
import { betPageOf } from '../pages/bet-page.ts'
import { signIn } from '../pages/session.ts'
import { wordsOf } from '../pages/words.ts'

const market = 'uk'

for (const language of ['th', 'en'] as const satisfies readonly Language[])
  test(
    `a ticket waits in the queue while the service is away, in ${language}`,
    { tag: tagOf(language, 'th-phone') },
    async ({ browser, isPhone, viewport }, info) => {
      test.slow()
      const dataDir = mkdtempSync(join(tmpdir(), 'megalot-outage-'))
      const port = await findFreePort()
      const url = `http://localhost:${port}`
      let app: LaunchedApp | undefined
      const start = async (): Promise<void> => {
        app = launchApp({ port, dataDir, env: { CAPTCHA_TEST_ANSWER: captchaAnswer } })
        await waitUntilReady(url, app.hasEnded)
      }
      /** Without warning; its PostgreSQL goes with it. */
      const kill = async (): Promise<void> => {
        const family = listDescendants(app!.pid)
        app!.kill('SIGKILL')
        await app!.ended
        await expect.poll(() => findSurvivors(family)).toEqual([])
      }
      await start()
      const context = await browser.newContext({
        baseURL: url,
        locale: 'th-TH',
        serviceWorkers: 'block',
        reducedMotion: 'reduce',
        viewport,
        hasTouch: isPhone,
        isMobile: isPhone,
      })
      try {
        const page = await context.newPage()
        const [first, second] = [await logInThroughApi(url, 'office01'), await logInThroughApi(url, 'office02')]
        const { period_code } = await new Office(first, second, new AppDatabase(dataDir)).openFirstPeriod(market, 901)
        const api = await signIn(page, url, 'member01', language)
        const bet = betPageOf(page, isPhone, language)
        const t = wordsOf(language)
        await bet.open(market)
        await bet.choosePackage('90')
        const listIds = async (): Promise<number[]> =>
          (await api.call(listPeriodOrders, { query: { period_code } })).map(({ order_id }) => order_id)

        await test.step('the service is killed before the ticket arrives', async () => {
          await bet.fillGrid([{ bet_type: '2top', number: '51', bet_satang: 2_000 }])
          await expect(bet.totalNet).toHaveText('20.00')
          // The rates are there: without them the page sends nothing.
          await expect(page.getByTestId('slip-best-win')).not.toHaveText(/^(–|0\.00)$/)
          await kill()
          await bet.send()
          await expect(bet.answer.getByText(t('bet.submission.queued.title')).first()).toBeVisible()
          await checkScreen(page, info, `bet-outage-${language}`)
          await start()
          await expect(bet.orderId).toBeVisible({ timeout: 40_000 })
          expect(await listIds()).toEqual([Number(await bet.orderId.textContent())])
          await bet.closeAnswer()
        })

        await test.step('the service is killed when it has written the ticket, before its reply arrives', async () => {
          const endFault = await intercept(page, '**/api/order/create', async (route) => {
            await route.fetch()
            endFault()
            await kill()
            await route.abort('connectionreset')
          })
          await bet.fillGrid([{ bet_type: '2top', number: '52', bet_satang: 2_000 }])
          await bet.send()
          await expect(bet.answer.getByText(t('bet.submission.queued.title')).first()).toBeVisible()
          await start()
          await expect(bet.orderId).toBeVisible({ timeout: 40_000 })
          const ids = await listIds()
          expect(ids).toHaveLength(2)
          expect(ids).toContain(Number(await bet.orderId.textContent()))
        })
      } finally {
        await context.close()
        app?.kill('SIGTERM')
        await app?.ended
        rmSync(dataDir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
      }
    },
  )
