// Goal: the dialog shows each of the three steps as it ends, a refusal at its own step, and its remedy; nothing of the
// slip is lost, and screen readers announce where the steps end.

import {
  getOrder,
  type Language,
  listPeriodOrders,
  type Order,
  type Period,
  type PlaceOrderBody,
  refusals,
} from '@megalot/contract'
import type { Page } from '@playwright/test'
import type { Api } from '../api.ts'
import { checkScreen, checkWidth } from '../check-screen.ts'
import { expect, tagOf, test } from '../fixtures.ts'
import { anyRound, joinMember } from '../history.ts'
import { Gate, intercept, refuse } from '../intercept.ts'
import { type BetPage, betPageOf } from '../pages/bet-page.ts'
import { newUsername } from '../pages/register-page.ts'
import { openAs } from '../pages/session.ts'
import { wordsOf } from '../pages/words.ts'

const createPath = '**/api/order/create'
/** A market of its own for each project, so that they need not wait for each other. */
const marketOf = (isPhone: boolean): string => (isPhone ? 'malay' : 'egypt')

interface Desk {
  product_code: string
  period: Period
  api: Api
  bet: BetPage
}

const betTest = test.extend<{ language: Language; openBetPage: () => Promise<Desk> }>({
  language: ['th', { option: true }],
  /** A new member at the bet page of a period of its own, with package 70 picked. */
  openBetPage: async ({ page, url, office, isPhone, language, openShownPeriod }, use, info) => {
    await use(async () => {
      const product_code = marketOf(isPhone)
      const period = await openShownPeriod(product_code, anyRound())
      const api = await joinMember(url, office, newUsername(info.project.name, `${language}step`))
      await openAs(page, api, language)
      const bet = betPageOf(page, isPhone, language)
      await bet.open(product_code)
      await bet.choosePackage('70')
      // Its terms are loaded: without them nothing can be sent.
      await expect(bet.submit).toBeEnabled()
      return { product_code, period, api, bet }
    })
  },
})

function marksOf(page: Page): Promise<string[]> {
  return page
    .getByTestId('placing-steps')
    .locator('li')
    .evaluateAll((steps) => steps.map((step) => step.dataset.mark!))
}

async function expectMarks(page: Page, marks: string): Promise<void> {
  await expect.poll(() => marksOf(page)).toEqual(marks.split(' '))
}

/** Records every state of the steps from now on. */
async function recordMarks(page: Page): Promise<() => Promise<string[]>> {
  await page.evaluate(() => {
    const seen: string[] = []
    const note = (): void => {
      const marks = [...document.querySelectorAll<HTMLElement>('[data-step]')].map(({ dataset }) => dataset.mark)
      if (marks.length > 0 && marks.join(' ') !== seen.at(-1)) seen.push(marks.join(' '))
    }
    Object.assign(window, { seen })
    new MutationObserver(note).observe(document.body, { subtree: true, childList: true, attributes: true })
  })
  return () => page.evaluate(() => (window as unknown as { seen: string[] }).seen.splice(0))
}

async function listOrders(api: Api, { period_code }: Period): Promise<readonly Pick<Order, 'item_count'>[]> {
  return api.call(listPeriodOrders, { query: { period_code } })
}

for (const language of ['th', 'en'] as const satisfies readonly Language[]) {
  // One language is checked in light mode, the other in dark mode: language and colours do not affect each other's
  // checks.
  betTest.describe(`in ${language}`, { tag: tagOf(language, 'th-desktop') }, () => {
    betTest.use({ language, colorScheme: language === 'th' ? 'light' : 'dark' })
    describeSteps(language)
  })
}

function describeSteps(language: Language): void {
  const texts = wordsOf(language)
  const t = wordsOf(language)

  betTest('each refusal fails its own step and is shown there', async ({ page, isPhone, openBetPage }, info) => {
    const { api, period, bet } = await openBetPage()
    const status = page.getByTestId('submission-status')
    await bet.fillGrid([{ bet_type: '2top', number: '12', bet_satang: 5_000 }])
    for (const [code, marks, sentence] of [
      [
        'period_closed',
        'failed skipped skipped',
        `${t('bet.submission.step.check_ticket')}: ${t('bet.submission.mark.failed')}`,
      ],
      [
        'not_enough_credit',
        'done failed skipped',
        `${t('bet.submission.step.check_quota')}: ${t('bet.submission.mark.failed')}`,
      ],
      [
        'request_id_reused',
        'done done failed',
        `${t('bet.submission.step.create_ticket')}: ${t('bet.submission.mark.failed')}`,
      ],
    ] as const) {
      await betTest.step(code, async () => {
        const endFault = await intercept(page, createPath, (route) => refuse(route, code, language))
        await bet.send()
        await expect(bet.answer).toHaveAccessibleName(texts('bet.submission.refused.title'))
        await expect(bet.answer.getByRole('alert')).toContainText(texts('bet.submission.refused.failed'))
        await expectMarks(page, marks)
        await expect(status).toContainText(sentence)
        await checkScreen(page, info, `refused-${code}-${language}`)
        endFault()
        await bet.input.press(bet.answer.getByRole('button', { name: t('bet.submission.back_to_slip') }))
        await expect(bet.answer).toBeHidden()
        // The focus returns to where the ticket was sent from.
        if (!isPhone) await expect(bet.submit).toBeFocused()
      })
    }
    await expect(bet.cell(0, 'number')).toHaveValue('12')
    expect(await listOrders(api, period)).toHaveLength(0)
  })

  betTest('steps pass one after another, and at once with reduced motion', async ({ page, openBetPage }, info) => {
    const { bet } = await openBetPage()
    const readMarks = await recordMarks(page)
    const place = async (number: string): Promise<string[]> => {
      await bet.fillGrid([{ bet_type: '2top', number, bet_satang: 5_000 }])
      await bet.send()
      await expect(bet.orderId).toBeVisible()
      const order_id = await bet.orderId.textContent()
      await expect(page.getByTestId('submission-status')).toContainText(
        `${t('bet.submission.step.create_ticket')}: ${t('bet.submission.mark.done')}. ${t('bet.submission.placed.title')}. ${t('bet.submission.placed.number')} ${order_id}`,
      )
      await bet.closeAnswer()
      return readMarks()
    }
    const refuseOnce = async (): Promise<string[]> => {
      const endFault = await intercept(page, createPath, (route) => refuse(route, 'not_enough_credit', language))
      await bet.fillGrid([{ bet_type: '2top', number: '12', bet_satang: 5_000 }])
      await bet.send()
      await expect(bet.answer.getByRole('alert')).toBeVisible()
      endFault()
      await bet.closeAnswer()
      return readMarks()
    }
    const first = 'busy waiting waiting'
    await betTest.step('reduced motion', async () => {
      expect(await place('34')).toEqual([first, 'done done done'])
      expect(await refuseOnce()).toEqual([first, 'done failed skipped'])
    })
    await betTest.step('full motion', async () => {
      await page.emulateMedia({ reducedMotion: 'no-preference' })
      expect(await place('56')).toEqual([first, 'done busy waiting', 'done done busy', 'done done done'])
      expect(await refuseOnce()).toEqual([first, 'done busy waiting', 'done failed skipped'])
      await page.emulateMedia({ reducedMotion: 'reduce' })
    })
    await betTest.step('before the reply arrives', async () => {
      const gate = new Gate()
      await intercept(page, createPath, async (route) => {
        await gate.isOpen
        await route.continue()
      })
      await bet.fillGrid([{ bet_type: '2top', number: '78', bet_satang: 5_000 }])
      await bet.send()
      await expect(page.locator('[data-step=check_ticket]')).toHaveAttribute('aria-current', 'step')
      await checkWidth(page, info, `sending-${language}`)
      // No input closes the dialog while the ticket is in flight.
      await page.keyboard.press('Escape')
      await expect(bet.answer).toBeVisible()
      gate.release()
      await expect(bet.orderId).toBeVisible()
    })
  })

  betTest('a lost reply leaves the last step open until the outcome is known', async ({ page, openBetPage }, info) => {
    const { api, period, bet } = await openBetPage()
    const status = page.getByTestId('submission-status')
    const gate = new Gate()
    await intercept(page, '**/api/order/request_id/*', async (route) => {
      await gate.isOpen
      await route.continue()
    })
    const endFault = await intercept(page, createPath, async (route) => {
      await route.fetch()
      await refuse(route, 'server_error', language)
    })
    await bet.fillGrid([{ bet_type: '2top', number: '12', bet_satang: 5_000 }])
    await bet.send()
    await expectMarks(page, 'unknown unknown busy')
    await expect(status).toContainText(t('bet.submission.looking.title'))
    await checkScreen(page, info, `looking-${language}`)
    endFault()
    gate.release()
    await expect(bet.orderId).toBeVisible()
    await expectMarks(page, 'done done done')
    expect(await listOrders(api, period)).toHaveLength(1)
    await bet.closeAnswer()

    await betTest.step('and a ticket that never arrived has passed no step', async () => {
      const endSecond = await intercept(page, createPath, (route) => refuse(route, 'server_error', language))
      await bet.fillGrid([{ bet_type: '2top', number: '34', bet_satang: 5_000 }])
      await bet.send()
      await expectMarks(page, 'skipped skipped failed')
      await expect(status).toContainText(
        `${t('bet.submission.step.create_ticket')}: ${t('bet.submission.mark.failed')}`,
      )
      await checkScreen(page, info, `absent-${language}`)
      endSecond()
      expect(await listOrders(api, period)).toHaveLength(1)
    })
  })

  betTest('changed rates are shown side by side, and sent again on request', async ({ page, openBetPage }, info) => {
    const { api, period, bet, product_code } = await openBetPage()
    const sent: PlaceOrderBody[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/api/order/create')) sent.push(request.postDataJSON() as PlaceOrderBody)
    })
    await bet.fillGrid([
      { bet_type: '2top', number: '12', bet_satang: 5_000 },
      { bet_type: '2bottom', number: '12', bet_satang: 2_000 },
    ])
    const table = page.getByTestId('rate-changes')
    // A replaced reply stands for an office that has just changed the rate: 70 is in force.
    const rates = [{ bet_type: '2top', rate_seen: 7_500, rate: 7_000 }]
    const refuseRate = () =>
      intercept(page, createPath, (route) => refuse(route, 'rate_changed', language, { status: 'INVALID', rates }))

    await betTest.step('back to the slip: nothing of it is lost', async () => {
      const endFault = await refuseRate()
      const termsAgain = page.waitForResponse(`**/api/user/product/${product_code}/template/70/game_config`)
      await bet.send()
      await expect(bet.answer.getByRole('alert')).toContainText(refusals.rate_changed[language])
      await expect(table.getByRole('row').nth(1)).toHaveText(new RegExp(`75.*${t('bet.submission.rates.lower')}70$`))
      await expectMarks(page, 'failed skipped skipped')
      await termsAgain
      await checkScreen(page, info, `rate-changed-${language}`)
      // It survives the page.
      await page.reload()
      await expect(table).toBeVisible()
      endFault()
      await bet.input.press(bet.answer.getByRole('button', { name: t('bet.submission.back_to_slip') }))
      await expect(bet.cell(0, 'top')).toHaveValue('50')
      await expect(bet.cell(0, 'bottom')).toHaveValue('20')
      expect(await listOrders(api, period)).toHaveLength(0)
    })

    await betTest.step('sent again at the new rates, as a ticket of its own', async () => {
      const endFault = await refuseRate()
      await bet.send()
      await expect(table).toBeVisible()
      endFault()
      await bet.input.press(bet.answer.getByRole('button', { name: t('bet.submission.rates.send') }))
      await expect(bet.orderId).toBeVisible()
      const [first, second, third] = sent
      expect(third?.items.map(({ rate }) => rate)).toEqual([7_000, 7_000])
      expect(new Set([first, second, third].map((body) => body?.request_id)).size).toBe(3)
      expect(await listOrders(api, period)).toHaveLength(1)
      await bet.closeAnswer()
      await expect(bet.cell(0, 'number')).toHaveValue('')
    })
  })

  betTest(
    'a discount that is lowered shows at once, and is asked about',
    async ({ page, office, openBetPage }, info) => {
      const { api, bet, product_code } = await openBetPage()
      const setDiscount = (discount_rate: number) =>
        office.changeTerms(product_code, '70', { bet_types: [{ bet_type: '2top', discount_rate }] })
      const decision = page.getByTestId('order-decision')
      try {
        await bet.fillGrid([{ bet_type: '2top', number: '12', bet_satang: 100_000 }])
        await expect(bet.totalNet).toHaveText('720.00')
        await betTest.step('on the open slip, well before its next poll', async () => {
          await setDiscount(2_000)
          await expect(bet.totalNet).toHaveText('800.00', { timeout: 8_000 })
        })
        await betTest.step('a ticket at the discount that its slip showed is asked about', async () => {
          const gate = new Gate()
          const endWait = await intercept(page, createPath, async (route) => {
            await gate.isOpen
            await route.continue()
          })
          const isSent = page.waitForRequest(createPath)
          await bet.send()
          expect(((await isSent).postDataJSON() as PlaceOrderBody).discount_satang).toBe(20_000)
          await setDiscount(500)
          gate.release()
          await expect(decision.getByText(t('decision.discount.title'))).toBeVisible()
          await expect(page.getByTestId('discount-change')).toHaveText(
            t('decision.discount.lower', { seen: '200.00', now: '50.00', net: '950.00' }),
          )
          await expect(decision.getByRole('checkbox', { name: /12/ })).toBeChecked()
          await checkScreen(page, info, `discount-lower-${language}`)
          endWait()
          await bet.input.press(decision.getByRole('button', { name: t('decision.confirm_all') }))
          await expect(decision).toBeHidden()
        })
        const params = { order_id: (await bet.orderId.textContent()) ?? '' }
        expect(await api.call(getOrder, { params })).toMatchObject({
          status: 'CONFIRMED',
          discount_seen_satang: 20_000,
          discount_satang: 5_000,
          net_satang: 95_000,
        })
        await bet.closeAnswer()
        await betTest.step('and the next slip has it', async () => {
          await bet.fillGrid([{ bet_type: '2top', number: '34', bet_satang: 100_000 }])
          await expect(bet.totalNet).toHaveText('950.00')
          await bet.place()
        })
      } finally {
        await setDiscount(2_800)
      }
    },
  )

  betTest('closed numbers are listed, and removed from the slip on request', async ({ page, openBetPage }, info) => {
    const { api, period, bet } = await openBetPage()
    const undo = page.getByRole('toolbar').getByRole('button', { name: t('entry.tools.undo') })
    await bet.fillGrid([
      { bet_type: '2top', number: '12', bet_satang: 5_000 },
      { bet_type: '2bottom', number: '12', bet_satang: 2_000 },
      { bet_type: '2top', number: '34', bet_satang: 1_000 },
    ])
    const problems = [0, 2].map((index) => ({ code: 'number_closed', lines: [index] }))
    const endFault = await intercept(page, createPath, (route) =>
      refuse(route, 'numbers_closed', language, { status: 'INVALID', problems }),
    )
    await bet.send()
    await expect(bet.answer.getByRole('alert')).toContainText(refusals.numbers_closed[language])
    await expectMarks(page, 'done failed skipped')
    const rows = page.getByTestId('closed-numbers').getByRole('row')
    await expect(rows).toHaveCount(3)
    await expect(rows.nth(1)).toContainText(/12\s*50\.00/)
    await expect(rows.nth(2)).toContainText(/34\s*10\.00/)
    await checkScreen(page, info, `numbers-closed-${language}`)
    endFault()
    await bet.input.press(bet.answer.getByRole('button', { name: t('bet.submission.numbers.remove', { count: 2 }) }))
    await expect(bet.answer).toBeHidden()
    await expect(page.getByTestId('announcer')).toContainText(t('bet.submission.numbers.removed', { count: 2 }))
    await expect(bet.cell(0, 'number')).toHaveValue('12')
    await expect(bet.cell(0, 'top')).toHaveValue('')
    await expect(bet.cell(0, 'bottom')).toHaveValue('20')
    await expect(bet.cell(1, 'number')).toHaveValue('')
    // It is an edit like any other.
    await bet.input.press(undo)
    await expect(bet.cell(1, 'number')).toHaveValue('34')
    await bet.cell(1, 'top').fill('')
    await bet.cell(1, 'number').fill('')
    await bet.cell(0, 'top').fill('')
    await bet.place()
    expect((await listOrders(api, period)).map(({ item_count }) => item_count)).toEqual([1])
  })
}
