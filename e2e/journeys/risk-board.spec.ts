// Goal: the office sees what a period would cost within a second or two of a bet, halves a number in three clicks, and the next
// ticket obeys; by result it reads the worst case and tries a result. The board of an agent is in `console-agents.spec.ts`.

import {
  type Language,
  listQuotas,
  listWaitingDecisions,
  type Period,
  setLimitNumber,
  withdrawProposal,
} from '@megalot/contract'
import type { Page, Route } from '@playwright/test'
import { checkScreen } from '../check-screen.ts'
import { expect, tagOf, test } from '../fixtures.ts'
import { anyRound, item, joinMember, placeTicket } from '../history.ts'
import { newUsername } from '../pages/register-page.ts'
import { openAs } from '../pages/session.ts'
import { wordsOf } from '../pages/words.ts'

const languages = ['th', 'en'] as const satisfies readonly Language[]

const boardOf = ({ product_code, period_code }: Period): string =>
  `/console/risk?${new URLSearchParams({ market: product_code, period: period_code })}`

const cellOf = (page: Page, bet: string) => page.getByTestId(`cell-${bet}`)

for (const language of languages) {
  test(
    `a number is halved from the board in three clicks, and the next ticket obeys (${language})`,
    { tag: tagOf(language, 'th-desktop') },
    async ({ page, url, office }, info) => {
      const t = wordsOf(language)
      const member = await joinMember(url, office, newUsername(info.project.name, 'rsk'))
      const period = await office.openPeriod('nikkei-pm', anyRound())
      const before = await placeTicket(member, period, [item('2top', '47', 50), item('2bottom', '12', 20)])
      expect(before.status).toBe('CONFIRMED')
      await page.emulateMedia({ colorScheme: language === 'th' ? 'light' : 'dark' })
      await openAs(page, office.apis[0], language)
      await page.goto(boardOf(period))
      await expect(page.getByRole('heading', { level: 1, name: t('console.screen.risk') })).toBeAttached()
      await expect(cellOf(page, '2top-47')).toBeVisible()
      await checkScreen(page, info, `risk-board-${language}`)

      await cellOf(page, '2top-47').click()
      const sheet = page.getByRole('dialog')
      await expect(sheet.getByTestId('fact-payout')).toHaveText('3,500')
      await expect(sheet.getByTestId('fact-stake')).toHaveText('50')
      await sheet.getByRole('radio', { name: t('risk.state.half'), exact: true }).check()
      await checkScreen(page, info, `risk-number-${language}`)
      await sheet.getByRole('button', { name: t('risk.limit.confirm.half', { number: '47' }) }).click()
      await expect(sheet).toBeHidden()

      const after = await placeTicket(member, period, [item('2top', '47', 50)])
      expect(after.status).toBe('WAIT_CONFIRM')
      await expect(page.getByRole('row').filter({ has: cellOf(page, '2top-47') })).toContainText(t('risk.state.half'))
    },
  )

  test(
    `the board shows a bet without being loaded anew, and by result what it would cost (${language})`,
    { tag: tagOf(language, 'th-phone') },
    async ({ page, url, office }, info) => {
      const t = wordsOf(language)
      const member = await joinMember(url, office, newUsername(info.project.name, 'rsl'))
      const period = await office.openPeriod('nikkei-am', anyRound())
      await placeTicket(member, period, [item('2top', '47', 50)])
      await openAs(page, office.apis[0], language)
      await page.goto(boardOf(period))
      const row = page.getByRole('row').filter({ has: cellOf(page, '2top-47') })
      await expect(row).toContainText('3,500')
      await page.evaluate(() => Object.assign(window, { isFirstDocument: true }))
      await placeTicket(member, period, [item('2top', '47', 10), item('2bottom', '12', 20)])
      await expect(row).toContainText('4,200')
      await expect(cellOf(page, '2bottom-12')).toBeVisible()
      expect(await page.evaluate(() => 'isFirstDocument' in window)).toBe(true)

      await page.getByRole('radio', { name: t('risk.by_results'), exact: true }).check()
      // 47 at the top and 12 at the bottom come together: 4,200 and 1,400, of which the house has received the stakes.
      await expect(page.getByTestId('figure-worst_case')).toHaveText(/−/)
      await page.getByLabel(t('risk.tried.top3'), { exact: true }).fill('047')
      await page.getByLabel(t('risk.tried.bottom2'), { exact: true }).fill('12')
      await expect(page.getByTestId('tried')).toHaveText(new RegExp(t('risk.tried.loss', { amount: '[\\d,.]+' })))
      const worst = (await page.getByTestId('figure-worst_case').textContent())!.replace('−', '')
      await expect(page.getByTestId('tried')).toContainText(worst)
      await checkScreen(page, info, `risk-results-${language}`)
    },
  )
}

for (const language of languages) {
  test(
    `two numbers are read however they are separated, and what is incomplete gives no sum (${language})`,
    { tag: tagOf(language, 'th-phone') },
    async ({ page, url, office }, info) => {
      const t = wordsOf(language)
      const member = await joinMember(url, office, newUsername(info.project.name, 'rsp'))
      const period = await office.openPeriod('thai-government', anyRound())
      await placeTicket(member, period, [item('3front', '381', 10), item('3front', '715', 10)])
      await openAs(page, office.apis[0], language)
      await page.goto(`${boardOf(period)}&by=results`)
      const tried = page.getByTestId('tried')
      const numbers = page.getByLabel(t('risk.tried.front3'), { exact: true })
      await page.getByLabel(t('risk.tried.top3'), { exact: true }).fill('999')
      await page.getByLabel(t('risk.tried.bottom2'), { exact: true }).fill('99')
      await numbers.fill('381 715')
      await expect(tried).toHaveText(new RegExp(t('risk.tried.loss', { amount: '[\\d,.]+' })))
      const sum = (await tried.textContent())!
      for (const typed of ['381715', '381,715', '381, 715']) {
        await numbers.fill('')
        await expect(tried).not.toHaveText(sum)
        await numbers.fill(typed)
        await expect(tried).toHaveText(sum)
      }
      for (const typed of ['381', '381, 71', 'abc']) {
        await numbers.fill(typed)
        await expect(page.getByText(t('risk.tried.problem.front3'))).toBeVisible()
        await expect(numbers).toHaveAttribute('aria-invalid', 'true')
        await expect(tried).not.toHaveText(/\d/)
      }
      await checkScreen(page, info, `risk-incomplete-${language}`)
      await numbers.fill('381715')
      await page.getByLabel(t('risk.tried.top3'), { exact: true }).fill('12')
      await expect(page.getByText(t('risk.tried.problem.top3'), { exact: true })).toBeVisible()
      await expect(tried).not.toHaveText(/\d/)
    },
  )
}

test(
  'the board is worked with by keyboard alone (en)',
  { tag: '@desktop-only' },
  async ({ page, url, office }, info) => {
    const member = await joinMember(url, office, newUsername(info.project.name, 'rsm'))
    const period = await office.openPeriod('nikkei-pm', anyRound())
    await placeTicket(member, period, [item('2top', '47', 50), item('2top', '48', 10)])
    await openAs(page, office.apis[0], 'en')
    await page.goto(`${boardOf(period)}&bet_type=2top`)
    await cellOf(page, '2top-47').focus()
    await page.keyboard.press('ArrowDown')
    await expect(cellOf(page, '2top-48')).toBeFocused()
    await page.keyboard.press('c')
    const sheet = page.getByRole('dialog')
    await expect(sheet.getByRole('button', { name: 'Close 48' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(sheet).toBeHidden()
    await expect(page.getByRole('row').filter({ has: cellOf(page, '2top-48') })).toContainText('Closed')
  },
)

test(
  'the board of a chosen period is the first one that is shown, and keeps the focus (en)',
  { tag: '@desktop-only' },
  async ({ page, url, office }, info) => {
    const member = await joinMember(url, office, newUsername(info.project.name, 'rsf'))
    const periods = [await office.openPeriod('nikkei-pm', anyRound()), await office.openPeriod('nikkei-pm', anyRound())]
    for (const period of periods) await placeTicket(member, period, [item('2top', '47', 50)])
    await openAs(page, office.apis[0], 'en')
    // One of them is not the current one of its market: it is known only from the list of periods, which comes late here.
    let held: Route | undefined
    await page.route('**/api/product/periods*', (route) => {
      held = route
    })
    const books = new Set<string>()
    page.on('request', (request) => {
      const [, book] = /\/api\/book\/([^/?]+)/.exec(request.url()) ?? []
      if (book !== undefined) books.add(book)
    })
    for (const period of periods) {
      // The page before asks for its board until it is left.
      await page.goto('about:blank')
      books.clear()
      const listed = page.waitForRequest(/api\/product\/periods/)
      await page.goto(`${boardOf(period)}&view=list`)
      await listed
      await expect(page.getByLabel('Market', { exact: true })).toBeVisible()
      await held!.continue()
      await cellOf(page, '2top-47').focus()
      await expect(page.locator('[data-period]')).toHaveAttribute('data-period', period.period_code)
      expect([...books]).toEqual([period.period_code])
      await expect(cellOf(page, '2top-47')).toBeFocused()
    }
  },
)

test(
  'rows keep their order under the hands, and a number leads to its tickets (en)',
  { tag: '@desktop-only' },
  async ({ page, url, office }, info) => {
    const username = newUsername(info.project.name, 'rso')
    const member = await joinMember(url, office, username)
    const period = await office.openPeriod('nikkei-pm', anyRound())
    const order = await placeTicket(member, period, [item('2top', '47', 50)])
    await openAs(page, office.apis[0], 'en')
    const isListening = page.waitForResponse('**/api/live')
    await page.goto(`${boardOf(period)}&view=list`)
    await isListening
    const first = page.locator('[data-number]').first()
    await cellOf(page, '2top-47').focus()
    await placeTicket(member, period, [item('2top', '48', 100)])
    await expect(page.getByTestId('board-keys')).toHaveText('Rows keep their order while you work here')
    await expect(first).toHaveAttribute('data-number', '47')
    // Nor do they move by a number that somebody sets meanwhile.
    const name = { params: { period_code: period.period_code } }
    await office.apis[0].call(setLimitNumber, { ...name, body: { bet_type: '2top', number: '47', set_to: 'half' } })
    await expect(page.locator('[data-number="47"] [data-state=half]')).toBeVisible()
    await expect(first).toHaveAttribute('data-number', '47')
    await expect(cellOf(page, '2top-47')).toBeFocused()
    await page.keyboard.press('Tab')
    await expect(first).toHaveAttribute('data-number', '48')

    await cellOf(page, '2top-47').click()
    await page.getByRole('link', { name: 'Tickets with 47' }).click()
    await expect(page).toHaveURL(/\/console\/tickets\?/)
    const tickets = page.locator('[data-grid-row]')
    await expect(tickets).toHaveCount(1)
    await expect(tickets).toContainText(`#${order.order_id}`)
    await expect(tickets).toContainText(username)
  },
)

test(
  'a quota is lowered from the board at once, and raised by two people (th)',
  { tag: '@desktop-only' },
  async ({ page, office }, info) => {
    const period = await office.openPeriod('nikkei-am', anyRound())
    const [api] = office.apis
    const { product_code } = period
    const isThis = (one: { product_code: string; bet_type: string }) =>
      one.product_code === product_code && one.bet_type === '1bottom'
    const readQuota = async () => (await api.call(listQuotas)).find(isThis)!
    const half_satang = 0
    await openAs(page, api, 'th')
    await page.goto(`${boardOf(period)}&bet_type=1bottom&view=list&all=true`)
    const sheet = page.getByRole('dialog')
    const open = async (baht: string) => {
      await cellOf(page, '1bottom-5').focus()
      await page.keyboard.press('q')
      await sheet.getByLabel('รับเต็มอัตรา (บาทต่อเลข)').fill(baht)
      await sheet.getByLabel('รับครึ่งอัตรา (บาทต่อเลข)').fill('0')
      await sheet.getByRole('button', { name: 'บันทึกโควตา' }).click()
    }
    try {
      await open('1234')
      await expect(sheet).toBeHidden()
      expect(await readQuota()).toMatchObject({ full_satang: 123_400, half_satang })
      await open('1235')
      await expect(sheet.getByText('ต้องให้คนที่สองอนุมัติ')).toBeVisible()
      await checkScreen(page, info, 'risk-quota-th')
      await sheet.getByRole('button', { name: 'ส่งให้คนที่สองอนุมัติ' }).click()
      await expect(sheet).toBeHidden()
      expect(await readQuota()).toMatchObject({ full_satang: 123_400, half_satang })
      const waiting = await api.call(listWaitingDecisions, { query: { kind: 'set_quota', product_code } })
      expect(waiting.map(({ approval }) => approval!.after)).toEqual([
        expect.objectContaining({ bet_type: '1bottom', full_satang: 123_500, half_satang }),
      ])
      const approval_id = String(waiting[0]!.approval!.approval_id)
      await api.call(withdrawProposal, { params: { approval_id }, body: { reason: 'a journey' } })
    } finally {
      await office.setQuota({ product_code, bet_type: '1bottom', full_satang: 1_000_000_000, half_satang })
    }
  },
)
