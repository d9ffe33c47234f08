// Goal: a ticket is sent once whatever happens on its way, the member decides about what the house did not accept in
// full, and the slip survives everything but its sending: a crash, a lost session, another tab, a full device.

import { randomUUID } from 'node:crypto'
import {
  cancelOrder,
  getOrder,
  type Language,
  listPeriodOrders,
  type Order,
  type Period,
  placeOrder,
  refusals,
  toOrderSummary,
} from '@megalot/contract'
import { type Api, logInThroughApi } from '../api.ts'
import { checkScreen, checkWidth } from '../check-screen.ts'
import { expect, memberOf, roundOf, tagOf, test } from '../fixtures.ts'
import { intercept, refuse } from '../intercept.ts'
import { type BetPage, betPageOf } from '../pages/bet-page.ts'
import { LoginPage } from '../pages/login-page.ts'
import { readSessionToken, signIn } from '../pages/session.ts'
import { like, type Words, wordsOf } from '../pages/words.ts'

const slot = 4
/** A market of its own for each project, so that they need not wait for each other. */
const marketOf = (isPhone: boolean): string => (isPhone ? 'uk' : 'india')

interface BetFixture {
  product_code: string
  period: Period
  api: Api
  bet: BetPage
  t: Words
}

interface BetFixtures {
  language: Language
  /** Distinguishes the rounds of the journeys in one language from those in the other. */
  firstRound: number
  /** A member at the bet page of a period of its own. */
  openBetPage: (round: number) => Promise<BetFixture>
}

const betTest = test.extend<BetFixtures>({
  language: ['th', { option: true }],
  firstRound: [0, { option: true }],
  openBetPage: async ({ page, url, isPhone, language, firstRound, openShownPeriod }, use, info) => {
    await use(async (round) => {
      const product_code = marketOf(isPhone)
      const period = await openShownPeriod(product_code, roundOf(info.project.name, firstRound + round))
      const api = await signIn(page, url, memberOf(info.project.name, slot), language)
      const bet = betPageOf(page, isPhone, language)
      await bet.open(product_code)
      await bet.choosePackage('90')
      return { product_code, period, api, bet, t: wordsOf(language) }
    })
  },
})

async function listIds(api: Api, { period_code }: Period): Promise<number[]> {
  return (await api.call(listPeriodOrders, { query: { period_code } })).map(({ order_id }) => order_id)
}

for (const [index, language] of (['th', 'en'] as const satisfies readonly Language[]).entries()) {
  // One language is checked in light mode, the other in dark mode: language and colours do not affect each other's
  // checks.
  const colorScheme = language === 'th' ? 'light' : 'dark'
  betTest.describe(`in ${language}`, { tag: tagOf(language, 'th-phone') }, () => {
    betTest.use({ language, firstRound: index * 4, colorScheme })
    describeSending(language)
  })
}

function describeSending(language: Language): void {
  betTest(
    'a partly accepted ticket is confirmed, returned in part or as a whole, or cancelled',
    async ({ page, office, openBetPage }, info) => {
      const { product_code, period, api, bet, t } = await openBetPage(1)
      const { input } = bet
      const press = (name: string) => input.press(decision.getByRole('button', { name }))
      const accept = (title: string, name: string) =>
        input.press(page.getByRole('dialog', { name: title }).getByRole('button', { name }))
      await office.setQuota({ product_code, bet_type: '2top', full_satang: 10_000, half_satang: 0 })
      await office.setNumber(period.period_code, { bet_type: '2bottom', number: '12', set_to: 'half' })
      await office.setNumber(period.period_code, { bet_type: '2top', number: '99', set_to: 'closed' })
      const decision = page.getByTestId('order-decision')
      const readOrder = async (): Promise<Order> =>
        api.call(getOrder, { params: { order_id: (await bet.orderId.textContent()) ?? '' } })

      /**
       * Sends 150 on a number of which 100 are left, a half-paid number, a closed one, and one that is accepted in
       * full.
       */
      const send = async (number: string): Promise<void> => {
        await bet.fillGrid([
          { bet_type: '2top', number, bet_satang: 15_000 },
          { bet_type: '2bottom', number: '12', bet_satang: 2_000 },
          { bet_type: '2top', number: '99', bet_satang: 500 },
          { bet_type: '1top', number: '7', bet_satang: 1_000 },
        ])
        await bet.send()
        await expect(decision).toBeVisible()
      }

      await test.step('everything confirmed', async () => {
        await send('41')
        await expect(decision.getByText(t('decision.title'))).toBeVisible()
        const line = decision.getByTestId('decision-line').filter({ hasText: '41' })
        for (const text of [`${t('decision.pays')} 13,500 9,000`, `${t('decision.stake')} 150 100`])
          await expect(line).toContainText(text)
        for (const name of [t('decision.confirm_all'), t('decision.return_all'), t('decision.later')])
          await expect(decision.getByRole('button', { name, exact: true })).toBeInViewport({ ratio: 1 })
        await expect(decision.getByText(t('decision.show_all', { count: 1 }))).toBeVisible()
        await expect(decision.getByRole('checkbox', { name: /99/ })).toBeDisabled()
        await checkScreen(page, info, `bet-partial-${language}`)
        await press(t('decision.confirm_all'))
        await expect(decision).toBeHidden()
        const order = await readOrder()
        expect(order).toMatchObject({ status: 'CONFIRMED', received_satang: 10_000 + 2_000 + 1_000 })
        await bet.closeAnswer()
      })

      await test.step('one item returned, the rest confirmed', async () => {
        await send('42')
        await input.tick(decision.getByRole('checkbox', { name: /42/ }))
        // Of 130.00 the 100.00 on 42 are refunded.
        await expect(decision.getByText(t('decision.choice', { kept: '30.00', back: '100.00' }))).toBeVisible()
        await press(t('decision.confirm', { count: 2 }))
        await expect(decision).toBeHidden()
        const order = await readOrder()
        expect(order.status).toBe('CONFIRMED')
        expect(order.items.find(({ number }) => number === '42')).toMatchObject({ bet_satang: 0, status: 'returned' })
        await bet.closeAnswer()
      })

      await test.step('everything returned', async () => {
        await send('43')
        await press(t('decision.return_all'))
        await accept(t('decision.return_all_title'), t('decision.return_all'))
        await expect(decision).toBeHidden()
        await expect(bet.answer.getByText(t('bet.submission.placed.ended_title')).first()).toBeVisible()
        expect((await readOrder()).status).toBe('CANCELLED')
        await bet.closeAnswer()
      })

      await test.step('left open, found among the latest tickets, and cancelled there', async () => {
        await send('44')
        const order_id = (await bet.orderId.textContent()) ?? ''
        await input.press(bet.answer.getByRole('button', { name: t('decision.later') }))
        const latest = await bet.showLatest()
        await input.press(latest.getByRole('link', { name: `#${order_id}` }))
        await page.waitForURL(`**/bills/${order_id}`)
        // Each of the latest tickets has such a button too, until the page has changed.
        await expect(latest).toBeHidden()
        await input.press(page.getByRole('button', { name: t('decision.cancel') }))
        await accept(t('decision.cancel_title'), t('decision.cancel'))
        await expect(decision).toBeHidden()
        // The replies were already read in the dialog: no news repeats them.
        await expect(page.getByText(t('shell.pending.found', { order_id: '' }))).toBeHidden()
        await checkScreen(page, info, `ticket-in-part-${language}`)
        expect((await api.call(getOrder, { params: { order_id } })).status).toBe('CANCELLED')
      })

      await test.step('refused where it would wait, after ten that were taken back', async () => {
        // Three have been in this period.
        for (let each = 3; each < 10; each += 1) {
          const body = {
            request_id: randomUUID(),
            period_code: period.period_code,
            package_code: '90',
            items: [{ bet_type: '2top' as const, number: '46', bet_satang: 15_000, rate: 9_000 }],
          }
          const placed = await api.call(placeOrder, { body })
          await api.call(cancelOrder, { params: { order_id: String(placed.order_id) }, body: toOrderSummary(placed) })
        }
        await bet.open(product_code)
        await bet.fillGrid([{ bet_type: '2top', number: '45', bet_satang: 15_000 }])
        await bet.send()
        await expect(bet.answer.getByText(refusals.too_many_waiting_tickets[language])).toBeVisible()
        await checkScreen(page, info, `bet-too-many-waiting-${language}`)
        await bet.input.press(bet.answer.getByRole('button', { name: t('bet.submission.back_to_slip') }))
      })

      await test.step('a member who accepts anything is not asked', async () => {
        await page.getByLabel(t('bet.on_change.label')).selectOption('accept')
        await bet.send()
        await expect(bet.orderId).toBeVisible()
        await expect(decision).toBeHidden()
        expect(await readOrder()).toMatchObject({ status: 'CONFIRMED', received_satang: 10_000 })
        // Less was taken: the next number does not close what says so.
        await page.keyboard.press('5')
        await expect(bet.answer).toBeVisible()
      })
    },
  )

  betTest(
    'the receipt shows the numbers, and closes with the next one',
    async ({ page, isPhone, openBetPage }, info) => {
      const { bet, t } = await openBetPage(4)
      const place = async (): Promise<void> => {
        await bet.fillGrid([
          { bet_type: '2top', number: '47', bet_satang: 5_000 },
          { bet_type: '2bottom', number: '47', bet_satang: 2_000 },
        ])
        await bet.send()
        const line = bet.answer.getByTestId('ticket-line')
        await expect(line).toHaveText(
          like(`47*${t('bills.column.top')} 50*${t('bills.column.bottom')} 20*${t('bills.line.pays')} 6,300`),
        )
      }
      await place()
      await checkScreen(page, info, `receipt-${language}`)
      if (!isPhone) {
        await page.keyboard.press('5')
        await expect(bet.answer).toBeHidden()
        await expect(bet.cell(0, 'number')).toHaveValue('5')
        return
      }
      await bet.closeAnswer()
      await bet.chooseStyle('mobile')
      const key = (digit: string) => page.locator('[data-keys]').getByRole('button', { name: digit, exact: true })
      for (const digit of ['4', '7']) await bet.input.press(key(digit))
      await bet.input.press(page.getByRole('button', { name: t('bet.quick.stake', { baht: '20' }), exact: true }))
      await bet.send()
      await expect(bet.answer.getByTestId('ticket-card')).toBeVisible()
      // The keys stay in sight: a press closes the receipt and counts.
      const { x, y, width, height } = (await key('5').boundingBox())!
      await page.touchscreen.tap(x + width / 2, y + height / 2)
      await expect(bet.answer).toBeHidden()
      await expect(page.getByRole('button', { name: t('entry.keypad.number', { number: '5' }) })).toBeVisible()
    },
  )

  betTest(
    'a ticket is sent again by itself while the service is away, and otherwise only on request',
    async ({ page, openBetPage, context }, info) => {
      const { period, api, bet, t } = await openBetPage(2)

      await test.step('the network fails after the server has the ticket', async () => {
        let calls = 0
        const endFault = await intercept(page, '**/api/order/create', async (route) => {
          calls += 1
          // Calls that repeat it fail too, but do not cut the network again: the last could do so after its return below.
          if (calls === 1) {
            await route.fetch()
            await context.setOffline(true)
          }
          await route.abort()
        })
        await bet.fillGrid([{ bet_type: '2top', number: '51', bet_satang: 2_000 }])
        await expect(bet.totalNet).toHaveText('20.00')
        await bet.send()
        await expect(bet.answer.getByText(t('bet.submission.queued.title')).first()).toBeVisible()
        await checkScreen(page, info, `bet-queued-${language}`)
        endFault()
        await context.setOffline(false)
        await expect(bet.orderId).toBeVisible()
        expect(await listIds(api, period)).toEqual([Number(await bet.orderId.textContent())])
        await bet.closeAnswer()
        await expect(bet.cell(0, 'number')).toHaveValue('')
      })

      await test.step('the service fails before', async () => {
        const endFault = await intercept(page, '**/api/order/create', (route) =>
          refuse(route, 'server_error', language),
        )
        await bet.fillGrid([{ bet_type: '2top', number: '52', bet_satang: 2_000 }])
        await bet.send()
        await expect(bet.answer.getByText(t('bet.submission.absent.text')).first()).toBeVisible()
        expect(await listIds(api, period)).toHaveLength(1)
        endFault()
        await bet.input.press(bet.answer.getByRole('button', { name: t('bet.submission.send_again') }))
        await expect(bet.orderId).toBeVisible()
        expect(await listIds(api, period)).toHaveLength(2)
        await bet.closeAnswer()
      })

      await test.step('a device with full storage says so, and sends nothing', async () => {
        await bet.fillGrid([{ bet_type: '2top', number: '53', bet_satang: 2_000 }])
        // To the last character: a slip that grows by two must find no room.
        await page.evaluate(() => {
          let text = ''
          for (let size = 1 << 23; size > 0; size >>= 1)
            try {
              localStorage.setItem('fill', text + 'x'.repeat(size))
              text += 'x'.repeat(size)
            } catch {
              // A smaller piece fills what is left.
            }
        })
        await bet.cell(0, 'top').fill('2500')
        await expect(page.getByText(t('entry.storage.title'))).toBeVisible()
        await bet.send()
        await expect(bet.answer.getByText(t('bet.submission.no_room.text'))).toBeVisible()
        await checkScreen(page, info, `bet-no-room-${language}`)
        expect(await listIds(api, period)).toHaveLength(2)
        await bet.closeAnswer()
        await page.evaluate(() => localStorage.removeItem('fill'))
        await bet.cell(0, 'top').fill('25')
        await expect(page.getByText(t('entry.storage.title'))).toBeHidden()
        await bet.place()
        expect(await listIds(api, period)).toHaveLength(3)
      })
    },
  )

  betTest(
    'one slip in two tabs, after a crash, and after another device took the session',
    async ({ page, url, office, isPhone, openBetPage, context }, info) => {
      const { product_code, period, api, bet, t } = await openBetPage(3)
      const other = await context.newPage()
      const otherBet = betPageOf(other, isPhone, language)

      await test.step('a change in one tab shows in the other; a slip that one tab sent disappears from the other', async () => {
        await otherBet.open(product_code)
        await bet.fillGrid([{ bet_type: '2top', number: '61', bet_satang: 2_000 }])
        await expect(otherBet.cell(0, 'number')).toHaveValue('61')
        await expect(otherBet.cell(0, 'top')).toHaveValue('20')
        await bet.place()
        await expect(otherBet.cell(0, 'number')).toHaveValue('')
        expect(await listIds(api, period)).toHaveLength(1)
      })

      await test.step('a page that crashes has lost nothing', async () => {
        await otherBet.fillGrid([{ bet_type: '2bottom', number: '62', bet_satang: 3_000 }])
        // What is typed is stored after the frame that shows it; the first tab shows it once it is stored.
        await expect(bet.cell(0, 'bottom')).toHaveValue('30')
        await other.goto('chrome://crash').catch(() => undefined)
        const again = await context.newPage()
        const bets = betPageOf(again, isPhone, language)
        await bets.open(product_code)
        await expect(bets.cell(0, 'number')).toHaveValue('62')
        await expect(bets.cell(0, 'bottom')).toHaveValue('30')
        await again.close()
      })

      await test.step('a session replaced by another device keeps the slip', async () => {
        // Sending must be the first call of the lost session, before any automatic one.
        const stopIntercepting = await intercept(page, /\/(api|mgluser)\//, (route) =>
          route.request().method() === 'GET' ? route.abort() : route.continue(),
        )
        await logInThroughApi(url, memberOf(info.project.name, slot))
        await bet.send()
        await expect(page).toHaveURL(/\/auth\/login/)
        stopIntercepting()
        await expect(page.getByText(refusals.session_replaced[language])).toBeVisible()
        const login = new LoginPage(page, language)
        await login.fill(memberOf(info.project.name, slot))
        await login.submit.click()
        await expect(page).toHaveURL(new RegExp(`/bet/${product_code}`))
        api.sessionToken = await readSessionToken(page)
        // The ticket was not accepted, and is not sent again automatically.
        await expect(bet.answer.getByText(t('bet.submission.absent.text')).first()).toBeVisible()
        await bet.input.press(bet.answer.getByRole('button', { name: t('bet.submission.back_to_slip') }))
        await expect(bet.cell(0, 'number')).toHaveValue('62')
        expect(await listIds(api, period)).toHaveLength(1)
      })

      await test.step('a period that closes says so, and keeps the draft', async () => {
        await office.closePeriod(period.period_code)
        await page.reload()
        // Either the market has a next period, which offers the draft, or the closed one stays on screen with it.
        const offer = page.getByRole('button', { name: new RegExp(`^${t('bet.earlier.take', { period: '' })}`) })
        const closed = page.getByText(t('bet.market.period_closed'))
        await expect(offer.or(closed).first()).toBeVisible()
        if (await offer.isVisible()) await bet.input.press(offer)
        await expect(bet.cell(0, 'number')).toHaveValue('62')
      })
    },
  )
}

betTest('the page at 320 px, at 200 % zoom, in the dark and with large text', async ({ page, openBetPage }, info) => {
  const { bet } = await openBetPage(9)
  await bet.fillGrid([
    { bet_type: '2top', number: '71', bet_satang: 2_000 },
    { bet_type: '2bottom', number: '71', bet_satang: 100 },
    { bet_type: '3top', number: '123', bet_satang: 1_000_000 },
  ])
  const normal = page.viewportSize()!
  const devtools = await page.context().newCDPSession(page)
  const variants: readonly [string, () => Promise<void>][] = [
    ['320', () => page.setViewportSize({ width: 320, height: 640 })],
    // Twice the size means half the room.
    ['zoom', () => page.setViewportSize({ width: 640, height: 400 })],
    [
      'dark',
      async () => {
        await page.setViewportSize(normal)
        await page.emulateMedia({ colorScheme: 'dark' })
      },
    ],
    // As set in a browser: whatever depends on the font size receives it too.
    ['large', async () => void (await devtools.send('Page.setFontSizes', { fontSizes: { standard: 32 } }))],
  ]
  for (const [variant, prepare] of variants) {
    await prepare()
    for (const style of ['grid', 'builder', 'mobile'] as const) {
      await bet.chooseStyle(style)
      await bet.submit.waitFor()
      await expect(page.getByTestId('skeleton')).toHaveCount(0)
      // Contrasts are checked in dark mode; the other settings change sizes only.
      const check = variant === 'dark' ? checkScreen : checkWidth
      await check(page, info, `bet-${style}-${variant}`)
    }
  }
})
