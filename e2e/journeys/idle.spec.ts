// Goal: a user who leaves a page alone for longer than the idle time is logged out, although the page goes on polling;
// a user who types a slip for as long, without a call, is not. On an application of its own, with the shortest idle
// time.

import { refusals, syncSession, WEB_VERSION } from '@megalot/contract'
import { startApp } from '../../scripts/run-app.mjs'
import { captchaAnswer } from '../api.ts'
import { expect, test } from '../fixtures.ts'
import { BetPage } from '../pages/bet-page.ts'
import { signIn } from '../pages/session.ts'

const IDLE_MINUTES = 1
/** Slips are drafted before it opens too. */
const market = 'thai-government'

test('an idle page is logged out and says why, one in use is not', async ({ browser }) => {
  test.slow()
  const app = await startApp({
    CAPTCHA_TEST_ANSWER: captchaAnswer,
    SESSION_IDLE_MINUTES: String(IDLE_MINUTES),
  })
  const context = { baseURL: app.url, locale: 'th-TH', serviceWorkers: 'block' } as const
  const typing = await (await browser.newContext(context)).newPage()
  const left = await (await browser.newContext(context)).newPage()
  try {
    const typist = await signIn(typing, app.url, 'member01')
    const loggedInAtMs = Date.now()
    await signIn(left, app.url, 'member02')
    // The bet page polls most often.
    await new BetPage(left, false).open(market)
    const bet = new BetPage(typing, false)
    await bet.open(market)

    const polls: string[] = []
    const calls: string[] = []
    left.on('request', (request) => polls.push(new URL(request.url()).pathname))
    typing.on('request', (request) => calls.push(request.method()))
    const isLoggedOut = left.waitForURL(/\/auth\/login/, { timeout: 120_000 }).then(() => true)
    const cell = bet.cell(0, 'number')
    const isOver = async (): Promise<boolean> =>
      Date.now() - loggedInAtMs > IDLE_MINUTES * 60_000 && (await Promise.race([isLoggedOut, Promise.resolve(false)]))
    while (!(await isOver())) {
      await cell.fill('')
      await cell.pressSequentially('12', { delay: 1_000 })
    }

    await expect(left.getByText(refusals.session_expired.th)).toBeVisible()
    // It had polled all the time.
    expect(polls.filter((path) => path.startsWith('/api/order')).length).toBeGreaterThanOrEqual(3)
    // The typed text has caused no call, and is still there.
    expect(new Set(calls)).toEqual(new Set(['GET']))
    const { guiVersion } = await typist.callWhole(syncSession, { query: { version: WEB_VERSION, gui: 'user' } })
    expect(guiVersion).toBe(WEB_VERSION)
    await expect(typing).toHaveURL(/\/bet\//)
    await expect(cell).toHaveValue('12')
  } finally {
    await typing.context().close()
    await left.context().close()
    await app.stop()
  }
})
