// Goal: whoever leaves a page alone for longer than the idle time is logged out, though the page goes on asking the server
// by itself; whoever types a slip for as long, without a call of their own, is not. On a product of its own, with the
// shortest idle time there is.

import { refusals, syncSession, WEB_VERSION } from '@megalot/contract'
import { startProduct } from '../../scripts/run-product.mjs'
import { captchaAnswer } from '../api.ts'
import { expect, test } from '../fixtures.ts'
import { BetPage } from '../pages/bet-page.ts'
import { signIn } from '../pages/session.ts'

const IDLE_MINUTES = 1
/** Slips are drafted before it opens too. */
const market = 'thai-government'

test('a page left alone is logged out and says why, one that is typed on is not', async ({ browser }) => {
  test.slow()
  const product = await startProduct({
    CAPTCHA_TEST_ANSWER: captchaAnswer,
    SESSION_IDLE_MINUTES: String(IDLE_MINUTES),
  })
  const context = { baseURL: product.url, locale: 'th-TH', serviceWorkers: 'block' } as const
  const typing = await (await browser.newContext(context)).newPage()
  const left = await (await browser.newContext(context)).newPage()
  try {
    const typist = await signIn(typing, product.url, 'member01')
    const loggedInAtMs = Date.now()
    await signIn(left, product.url, 'member02')
    // The bet page asks by itself most often of all.
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
    // It had asked by itself all the time.
    expect(polls.filter((path) => path.startsWith('/api/order')).length).toBeGreaterThanOrEqual(3)
    // What was typed has called nothing, and is there.
    expect(new Set(calls)).toEqual(new Set(['GET']))
    const { guiVersion } = await typist.callWhole(syncSession, { query: { version: WEB_VERSION, gui: 'user' } })
    expect(guiVersion).toBe(WEB_VERSION)
    await expect(typing).toHaveURL(/\/bet\//)
    await expect(cell).toHaveValue('12')
  } finally {
    await typing.context().close()
    await left.context().close()
    await product.stop()
  }
})
