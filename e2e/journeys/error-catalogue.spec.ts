// Goal: every message of the specification's error catalogue (its sections 5 and 8) appears in its situation, in both
// languages. The journeys of one language run one after the other, and the last one finds missing messages.

import {
  cancelOrder,
  getGameConfig,
  getOrder,
  type Language,
  listenLive,
  listLimitNumbers,
  listPeriodOrders,
  type Period,
} from '@megalot/contract'
import { expect, type Locator, type Page } from '@playwright/test'
import { captchaAnswer, demoPassword } from '../api.ts'
import { checkScreen } from '../check-screen.ts'
import { tagOf, test } from '../fixtures.ts'
import { anyRound, item, joinMember, placeTicket } from '../history.ts'
import { intercept, refuse } from '../intercept.ts'
import { type BetPage, betPageOf } from '../pages/bet-page.ts'
import { catalogueOf, type CatalogueEntry } from '../pages/catalogue.ts'
import { Builder } from '../pages/entry-styles.ts'
import { LoginPage } from '../pages/login-page.ts'
import { newUsername } from '../pages/register-page.ts'
import { openAs } from '../pages/session.ts'
import { recordTopLayer } from '../pages/top-layer.ts'
import { wordsOf } from '../pages/words.ts'

/** A market of its own for each project, so that they need not wait for each other. */
const marketOf = (isPhone: boolean): string => (isPhone ? 'malay' : 'egypt')

for (const language of ['th', 'en'] as const satisfies readonly Language[]) {
  test.describe(`the error catalogue in ${language}`, { tag: tagOf(language, 'th-phone') }, () => {
    // One language is checked in light mode, the other in dark mode: language and colours do not affect each other's
    // checks.
    test.use({ colorScheme: language === 'th' ? 'light' : 'dark' })
    test.describe.configure({ mode: 'serial' })
    describeCatalogue(language)
  })
}

function describeCatalogue(language: Language): void {
  const texts = catalogueOf(language)
  const t = wordsOf(language)
  const shown = new Set<CatalogueEntry>()

  /** Waits for a message of the catalogue, word by word, in a part of the page. */
  async function expectMessage(where: Locator, ...entries: readonly CatalogueEntry[]): Promise<void> {
    for (const entry of entries) {
      await expect(where.getByText(texts[entry], { exact: true }).first()).toBeVisible()
      shown.add(entry)
    }
  }

  test('toasts of the bet page', async ({ page, url, office, isPhone, openShownPeriod }, info) => {
    const product_code = marketOf(isPhone)
    const period = await openShownPeriod(product_code, anyRound())
    const username = newUsername(info.project.name, `${language}toast`)
    const api = await joinMember(url, office, username, 0)
    const terms = await api.call(getGameConfig, { params: { product_code, package_code: '70' } })
    const twoTop = terms.bet_types.find(({ bet_type }) => bet_type === '2top')!
    await openAs(page, api, language)
    const bet = betPageOf(page, isPhone, language)
    const toasts = page.getByTestId('toasts')
    const listOrders = () => api.call(listPeriodOrders, { query: { period_code: period.period_code } })
    await bet.open(product_code)
    const expectToast = async (rows: readonly (readonly [string, string])[], entry: CatalogueEntry): Promise<void> => {
      await test.step(texts[entry], async () => {
        await expect(toasts.getByText(texts[entry], { exact: true })).toHaveCount(0)
        await fillRows(bet, rows)
        await bet.send()
        await expectMessage(toasts, entry)
        expect(await toasts.locator('span').count()).toBeLessThanOrEqual(3)
        await expect(bet.orderId).toBeHidden()
      })
    }

    await expectToast([['', '']], 'pick_rate')
    await bet.choosePackage('70')
    await expect(bet.submit).toBeEnabled()
    await expectToast([['', '']], 'no_number')
    await expectToast([['12', '']], 'zero_total')
    await expectToast([['12', '0']], 'zero_total')
    await expectToast([['12', '50']], 'not_enough_credit')
    await test.step('the same toast shows once, and disappears by itself', async () => {
      await bet.send()
      await bet.send()
      await expect(toasts.getByText(texts.not_enough_credit)).toHaveCount(1)
      await expect(toasts.getByText(texts.not_enough_credit)).toHaveCount(0)
    })
    await office.setCredit(username, 100_000)
    await expect(page.getByTestId('credit-remain')).toHaveText('1,000.00')
    await expectToast([['12', '5000']], 'over_credit')
    await expectToast([['12', String(twoTop.max_satang / 100 + 1)]], 'over_max')
    const most = String(twoTop.max_satang / 100)
    const times = Math.floor(twoTop.max_per_number_satang / twoTop.max_satang) + 1
    await expectToast(
      Array.from({ length: times }, () => ['12', most] as const),
      'over_max_per_stake',
    )
    await expectToast([['12', '1'], ...emptyRows(times - 1)], 'under_min')

    await test.step('duplicates are asked about before anything is sent', async () => {
      const notice = page.getByTestId('duplicate-notice')
      const twice = [['12', '10'] as const, ['12', '20'] as const]
      await expectToast(twice, 'duplicates')
      await expect(notice).toBeFocused()
      await bet.input.press(notice.getByRole('button', { name: t('entry.duplicate.keep') }))
      expect(await listOrders()).toHaveLength(0)
      await bet.place()
      await fillRows(bet, twice)
      await bet.send()
      await bet.input.press(notice.getByRole('button', { name: t('entry.duplicate.merge') }))
      await expect(bet.cell(0, 'top')).toHaveValue('30')
      await bet.place()
      expect((await listOrders()).map(({ item_count, bet_satang }) => [item_count, bet_satang])).toEqual([
        [1, 3_000],
        [2, 3_000],
      ])
      // Under the keypad the question is in the slip, which opens for it.
      await fillRows(bet, twice)
      await bet.send()
      await expect(notice).toBeFocused()
      await bet.chooseStyle('mobile')
      await expect(page.getByRole('dialog')).toBeHidden()
      const readTopLayer = await recordTopLayer(page)
      await bet.send()
      await expect(page.getByRole('dialog').getByTestId('duplicate-notice')).toBeFocused()
      // The toast is not under the dialog.
      await expect.poll(readTopLayer).toBe('toasts')
      await expect(toasts.getByText(texts.duplicates, { exact: true })).toBeVisible()
      expect(await listOrders()).toHaveLength(2)
    })
  })

  test('entering numbers', async ({ page, url, office, isPhone, openShownPeriod }, info) => {
    const product_code = marketOf(isPhone)
    await openShownPeriod(product_code, anyRound())
    await openAs(page, await joinMember(url, office, newUsername(info.project.name, `${language}enter`)), language)
    const bet = betPageOf(page, isPhone, language)
    const builder = new Builder(page, isPhone)
    const toasts = page.getByTestId('toasts')
    await bet.open(product_code, 'builder')
    await bet.choosePackage('70')
    await builder.amount('top').fill('5')
    for (const [digits, mode, text, entry] of [
      [3, 'typed', '12', 'needs_3_digits'],
      [2, 'typed', '1', 'needs_2_digits'],
      [2, 'typed', '', 'no_number'],
      [2, 'fix_front', '', 'needs_1_digit'],
      [3, 'jubwin_3d', '12', 'needs_3_digits'],
      [2, 'jubwin_2d', '1', 'needs_2_digits'],
      [2, 'nineteen_doors', '', 'needs_1_digit'],
    ] as const) {
      await test.step(`${mode} ${text}: ${texts[entry]}`, async () => {
        // An earlier message must not be mistaken for the new one.
        await expect(toasts.getByText(texts[entry], { exact: true })).toHaveCount(0)
        await builder.choose(digits, mode)
        if (mode.startsWith('jubwin')) await builder.tap([...text])
        else await builder.text.fill(text)
        await builder.addEntry()
        await expectMessage(toasts, entry)
      })
    }
    await test.step(texts.needs_column, async () => {
      for (const mode of ['fix_front', 'nineteen_doors']) {
        await expect(toasts.getByText(texts.needs_column)).toHaveCount(0)
        await builder.choose(2, mode)
        await builder.text.fill('5')
        await builder.amount('top').fill('')
        await builder.addEntry()
        await expectMessage(toasts, 'needs_column')
      }
    })
    await test.step(texts.doors_digits, async () => {
      await bet.chooseStyle('grid')
      await page.getByText(t('entry.many.title')).click()
      await page.getByTestId('entry-text').fill('12')
      await bet.input.tick(page.getByRole('checkbox', { name: t('entry.many.doors'), exact: true }))
      await page.getByTestId('amount-top').fill('5')
      await bet.input.press(page.getByTestId('add-many'))
      await expectMessage(toasts, 'doors_digits')
    })
    await test.step(texts.import_failed, async () => {
      await bet.input.press(page.getByRole('toolbar').getByRole('button', { name: t('entry.tools.import') }))
      await page.getByRole('dialog').getByRole('textbox').fill('สมชาย')
      await expectMessage(page.getByRole('dialog'), 'import_failed')
    })
  })

  test('tickets that the server refuses', async ({ page, url, office, isPhone, openShownPeriod }, info) => {
    const product_code = marketOf(isPhone)
    const period = await openShownPeriod(product_code, anyRound())
    const username = newUsername(info.project.name, `${language}refuse`)
    const api = await joinMember(url, office, username, 100_000)
    await stayUninformed(page, period)
    await openAs(page, api, language)
    const bet = betPageOf(page, isPhone, language)
    await bet.open(product_code)
    await bet.choosePackage('70')
    await expect(bet.submit).toBeEnabled()
    const sendInVain = async (entry: CatalogueEntry, failed: string): Promise<void> => {
      await bet.send()
      await expect(bet.answer.getByRole('heading', { level: 2 })).toHaveText(texts.create_error)
      await expectMessage(bet.answer, 'create_error', 'creation_failed', entry)
      await expect(page.locator(`[data-step=${failed}]`)).toHaveAttribute('data-mark', 'failed')
    }
    const expectRefusal = async (entry: CatalogueEntry, failed: string): Promise<void> => {
      await test.step(texts[entry], async () => {
        await sendInVain(entry, failed)
        await bet.closeAnswer()
      })
    }

    await fillRows(bet, [['12', '50']])
    await office.setCredit(username, 1_000)
    await expectRefusal('not_enough_credit', 'check_quota')
    await office.setCredit(username, 100_000)
    await page.reload()
    await expect(bet.cell(0, 'number')).toHaveValue('12')
    await expect(page.getByTestId('credit-remain')).toHaveText('1,000.00')
    await office.setNumber(period.period_code, { bet_type: '2top', number: '12', set_to: 'closed' })
    await expectRefusal('all_closed', 'check_quota')
    await office.setStatus(username, 'DISABLED_BET')
    await expectRefusal('bet_disabled', 'check_ticket')
    await office.setStatus(username, 'NORMAL')
    // A member who may not bet has no desk after the page has read the member's status again.
    await page.reload()
    await expect(bet.cell(0, 'number')).toHaveValue('12')
    for (const code of ['rate_changed', 'numbers_closed'] as const) {
      const endFault = await intercept(page, '**/api/order/create', (route) =>
        refuse(route, code, language, { status: 'INVALID' }),
      )
      await expectRefusal(code, code === 'rate_changed' ? 'check_ticket' : 'check_quota')
      endFault()
    }
    await office.closePeriod(period.period_code)
    // Its dialog makes way for the sheet that offers the slip to a later period.
    await test.step(texts.period_closed, () => sendInVain('period_closed', 'check_ticket'))

    await test.step(texts.suspended, async () => {
      await office.setStatus(username, 'SUSPENDED')
      await page.goto('/bills')
      await expect(page).toHaveURL(/\/auth\/login/)
      await expectMessage(page.locator('body'), 'suspended')
      await page.reload()
      const login = new LoginPage(page, language)
      await login.fill(username)
      await login.submit.click()
      await expectMessage(page.locator('body'), 'suspended')
    })
  })

  test('deciding about a ticket', async ({ page, url, office, isPhone, openShownPeriod }, info) => {
    const product_code = marketOf(isPhone)
    const period = await openShownPeriod(product_code, anyRound())
    const api = await joinMember(url, office, newUsername(info.project.name, `${language}decide`))
    await office.setNumber(period.period_code, { bet_type: '2top', number: '99', set_to: 'closed' })
    await stayUninformed(page, period)
    await openAs(page, api, language)
    const bet = betPageOf(page, isPhone, language)
    const decision = page.getByTestId('order-decision')
    const press = (name: string) => bet.input.press(page.getByRole('button', { name, exact: true }).first())
    const accept = (title: string, name: string) =>
      bet.input.press(page.getByRole('dialog', { name: title }).getByRole('button', { name, exact: true }))
    const alert = page.getByRole('alert')
    /** A placed slip is called a ticket, in the server's message too. */
    const expectTicketWord = () => expect(alert).not.toContainText(language === 'th' ? 'โพย' : /\bslip\b/)
    const readStatus = async (order_id: number) =>
      (await api.call(getOrder, { params: { order_id: String(order_id) } })).status
    /** A ticket that waits because one of its numbers is closed, on its own page. */
    const openWaiting = async (): Promise<number> => {
      const items = [item('2top', '99', 20), item('2top', '45', 20)]
      const { order_id, status } = await placeTicket(api, period, items)
      expect(status).toBe('WAIT_CONFIRM')
      await page.goto(`/bills/${order_id}`)
      await expectMessage(decision, 'partial')
      return order_id
    }
    const cancelRules = { window_minutes: 30, max_tickets: 10, before_close_minutes: 5 }

    try {
      await test.step('a waiting ticket keeps all its actions where no confirmed one can be cancelled', async () => {
        await office.setCancelRules(product_code, { window_minutes: 0, max_tickets: 0, before_close_minutes: 1_440 })
        await bet.open(product_code)
        await bet.choosePackage('70')
        await expect(bet.submit).toBeEnabled()
        await fillRows(bet, [
          ['99', '20'],
          ['45', '20'],
        ])
        await bet.send()
        await expectMessage(bet.answer, 'partial')
        for (const name of [t('decision.confirm_all'), t('decision.return_all')])
          await expect(bet.answer.getByRole('button', { name, exact: true })).toBeEnabled()
        await bet.closeAnswer()

        const cancelled = await openWaiting()
        await press(t('decision.cancel'))
        await accept(t('decision.cancel_title'), t('decision.cancel'))
        await expect(decision).toBeHidden()
        expect(await readStatus(cancelled)).toBe('CANCELLED')

        const returned = await openWaiting()
        await press(t('decision.return_all'))
        await accept(t('decision.return_all_title'), t('decision.return_all'))
        await expect(decision).toBeHidden()
        expect(await readStatus(returned)).toBe('CANCELLED')

        const confirmed = await openWaiting()
        await press(t('decision.confirm_all'))
        await expect(decision).toBeHidden()
        expect(await readStatus(confirmed)).toBe('CONFIRMED')
        await expect(page.getByRole('button', { name: t('decision.cancel'), exact: true })).toBeHidden()
      })

      await test.step(texts.confirm_error, async () => {
        const order_id = await openWaiting()
        const endFault = await intercept(page, '**/api/order/*/confirm', (route) => route.abort())
        await press(t('decision.confirm_all'))
        await expectMessage(alert, 'confirm_error', 'confirm_code')
        await expect(alert).toBeInViewport({ ratio: 1 })
        await checkScreen(page, info, `confirm-error-${language}`)
        endFault()
        // The member can try again, and the message disappears.
        await press(t('decision.confirm_all'))
        await expect(decision).toBeHidden()
        await expect(alert).toBeHidden()
        expect(await readStatus(order_id)).toBe('CONFIRMED')
      })

      await test.step(texts.invalid_status, async () => {
        const order_id = await openWaiting()
        // The same member cancels it elsewhere; this page gets no event.
        const order = await api.call(getOrder, { params: { order_id: String(order_id) } })
        await api.call(cancelOrder, { params: { order_id: String(order_id) }, body: order })
        await press(t('decision.confirm_all'))
        await expect(decision).toBeHidden()
        await expectMessage(alert, 'invalid_status')
        await expect(alert).toContainText('invalid_status')
        await expectTicketWord()
        await checkScreen(page, info, `invalid-status-${language}`)
      })

      await test.step(texts.cancel_error, async () => {
        await office.setCancelRules(product_code, { ...cancelRules, max_tickets: 0 })
        const { order_id } = await placeTicket(api, period, [item('2top', '45', 20)])
        await page.goto(`/bills/${order_id}`)
        await press(t('decision.cancel'))
        await accept(t('decision.cancel_title'), t('decision.cancel'))
        await expectMessage(alert, 'cancel_error', 'cancel_code')
        await expectTicketWord()
        await checkScreen(page, info, `cancel-error-${language}`)
        expect(await readStatus(order_id)).toBe('CONFIRMED')
      })
    } finally {
      await office.setCancelRules(product_code, cancelRules)
    }
  })

  test('log-in, password and other pages', async ({ page, url, office }, info) => {
    const account = wordsOf(language)
    await page.addInitScript((chosen) => localStorage.setItem('megalot.language', chosen), language)
    await test.step('the log-in form', async () => {
      const login = new LoginPage(page, language)
      await login.open()
      const expectProblems = async (
        fields: readonly [string, string, string],
        ...entries: readonly CatalogueEntry[]
      ): Promise<void> => {
        const [username, password, captcha] = fields
        await login.fill(username, { password, captcha })
        await login.submit.click()
        await expectMessage(page.locator('form'), ...entries)
      }
      await expectProblems(['', '', ''], 'username_required', 'password_required', 'captcha_required')
      await expectProblems(['สมาชิก', 'abc', 'abc'], 'username_form', 'password_length', 'captcha_length')
      await expectProblems(['m', 'x'.repeat(101), captchaAnswer], 'username_short', 'password_length')
      await expectProblems(['m'.repeat(256), demoPassword, captchaAnswer], 'username_long')
    })

    const api = await joinMember(url, office, newUsername(info.project.name, `${language}pass`))
    await openAs(page, api, language)
    await test.step(texts.change_password_failed, async () => {
      await page.goto('/account/password')
      const form = page.getByRole('form')
      const fill = async (old_password: string, next: string, confirm: string): Promise<void> => {
        await form.getByLabel(account('account.password.old_password'), { exact: true }).fill(old_password)
        await form.getByLabel(account('account.password.new_password'), { exact: true }).fill(next)
        await form.getByLabel(account('account.password.confirm_password'), { exact: true }).fill(confirm)
        await form.getByRole('button', { name: account('account.password.submit') }).click()
      }
      await fill('', 'second1234', '')
      await expectMessage(form, 'fill_in_all')
      await fill(demoPassword, 'abc', 'abc')
      await expectMessage(form, 'password_length')
      await fill(demoPassword, 'second1234', 'other1234')
      await expectMessage(form, 'password_mismatch')
      await fill('wrong1234', 'second1234', 'second1234')
      await expectMessage(form, 'change_password_failed', 'error_code')
      await checkScreen(page, info, `change-password-failed-${language}`)
      // Without a reply there is no code to show.
      const endFault = await intercept(page, '**/mgluser/change_password', (route) => route.abort())
      await form.getByRole('button', { name: account('account.password.submit') }).click()
      await expect(form.getByText(texts.error_code)).toBeHidden()
      await expectMessage(form, 'change_password_failed')
      endFault()
    })
    await test.step(texts.summary_failed, async () => {
      const endFault = await intercept(page, '**/api/admin/report/user_win_loss_summary', (route) =>
        refuse(route, 'server_error', language),
      )
      await page.goto('/reports/summary')
      await expectMessage(page.getByRole('alert'), 'summary_failed')
      await checkScreen(page, info, `summary-failed-${language}`)
      endFault()
    })
    await test.step(texts.not_found, async () => {
      await page.goto('/no/such/page')
      await expectMessage(page.getByRole('main'), 'not_found')
      await expectMessage(page.getByRole('main'), 'to_main')
      await page.getByRole('link', { name: texts.to_main }).click()
      await expect(page).toHaveURL(/\/$/)
    })
  })

  test('every message of the catalogue was shown', () => {
    expect(Object.keys(texts).filter((entry) => !shown.has(entry as CatalogueEntry))).toEqual([])
  })
}

/** Fills the grid from its first row on with numbers and their stakes on top. */
async function fillRows(bet: BetPage, rows: readonly (readonly [string, string])[]): Promise<void> {
  for (const [row, [number, top]] of rows.entries()) {
    // The amount of a cell that no longer applies would stay, invisible.
    const cell = bet.cell(row, 'top')
    if (top === '' && (await cell.isEnabled())) await cell.fill('')
    await bet.cell(row, 'number').fill(number)
    if (top !== '') await cell.fill(top)
  }
}

function emptyRows(count: number): (readonly [string, string])[] {
  return Array.from({ length: count }, () => ['', ''] as const)
}

/** The page gets no events: it learns of changes only when it acts. */
async function stayUninformed(page: Page, { period_code }: Period): Promise<void> {
  const numbers = listLimitNumbers.path.replace(':period_code', period_code)
  for (const path of [listenLive.path, numbers]) await page.route(`**${path}*`, (route) => route.abort())
}
