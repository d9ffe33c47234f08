// Goal: reports, results and statistics show a member its money to the satang, on the screen, on paper and in files; and
// its upline sees the same of its downline.

import { getCreditInfo, getWinLossSummary, listPeriodWinLoss, listTransactions, type Period } from '@megalot/contract'
import type { Page, TestInfo } from '@playwright/test'
import { readFile } from 'node:fs/promises'
import { checkScreen } from '../check-screen.ts'
import { expect, test } from '../fixtures.ts'
import { anyRound, type History, makeHistory } from '../history.ts'
import type { Office } from '../office.ts'
import { Input } from '../pages/input.ts'
import { countPrints } from '../pages/printing.ts'
import { newUsername } from '../pages/register-page.ts'
import { openAs, signIn } from '../pages/session.ts'
import { bahtText, wordsOf } from '../pages/words.ts'

const t = wordsOf('en')

/** Markets in which no journey opens a shown period, for which it would close those of others. */
const marketOf = (isPhone: boolean): string => (isPhone ? 'singapore' : 'china-pm')

let memberHistory: Promise<History> | undefined

/** One member history for all journeys of this file, which run one after the other. */
function historyOf(url: string, office: Office, isPhone: boolean, info: TestInfo): Promise<History> {
  const product_code = marketOf(isPhone)
  memberHistory ??= makeHistory(url, office, newUsername(info.project.name, 'rep'), product_code, () =>
    office.openPeriod(product_code, anyRound()),
  )
  return memberHistory
}

/**
 * The summary of the day to which a period belongs. Without days it is that of this month so far, of which a period
 * that was drawn around midnight need not be part.
 */
const summaryOfDay = ({ period_date }: Period): string =>
  `/reports/summary?date_from=${period_date}&date_to=${period_date}`

/** The fields of a report are collapsed under their summary. */
async function openFields(page: Page, input: Input): Promise<void> {
  await input.press(page.getByRole('button', { name: /·.* (markets?|หวย)/ }))
}

test('reports: by period and into it, statement, summary (en) @phone-only', async ({
  page,
  url,
  office,
  isPhone,
}, info) => {
  const { api, won, lost, settled } = await historyOf(url, office, isPhone, info)
  const input = new Input(page, isPhone)
  const prints = await countPrints(page)
  await openAs(page, api, 'en')
  const main = page.getByRole('main')
  const received = won.received_satang + lost.received_satang
  const discount = won.discount_satang + lost.discount_satang
  const win = 140_000
  const total = win + discount - received

  await test.step('every period, with open results', async () => {
    await page.goto('/reports')
    const sums = page.getByTestId('win-loss-sums')
    await expect(sums).toContainText(`+${bahtText(total)}`)
    for (const satang of [received, discount, win]) await expect(sums).toContainText(bahtText(satang))
    await expect(main.getByText('2 tickets still await their results', { exact: false })).toBeVisible()
    await expect(main.locator('[data-row]')).toHaveCount(2)
    const reply = await api.callWhole(listPeriodWinLoss)
    expect(reply.totals).toMatchObject({ ticket_count: 2, win_satang: win, total_satang: total })
    await checkScreen(page, info, 'reports')
    await openFields(page, input)
    await input.choose('loss_only')
    await expect(sums).toContainText(bahtText(0))
    await input.choose('all')
  })

  await test.step('into a period, with the four filters', async () => {
    await expect(main.locator('[data-row]')).toHaveCount(2)
    const last = main.locator('[data-row]').last()
    // On a phone the row is opened first.
    if (isPhone) await input.press(last.getByRole('button', { name: t('reports.details') }))
    await input.press(last.getByRole('link'))
    await page.waitForURL(`**/reports/win-loss/${settled.period_code}**`)
    await expect(main.locator('[data-row]')).toHaveCount(2)
    await input.choose('win_only')
    await expect(main.locator('[data-row]')).toHaveCount(1)
    await expect(main.locator('[data-row] li')).toHaveText([/95/])
    await input.choose('win_tickets')
    await expect(main.locator('[data-row] li')).toHaveCount(2)
    await input.choose('loss_only')
    await expect(main.locator('[data-row] li')).toHaveCount(3)
    await input.choose('all')
    await expect(main.locator('[data-row] li')).toHaveCount(4)
    await checkScreen(page, info, 'reports-period')
  })

  await test.step('the statement, in a file and on paper', async () => {
    await page.goto('/reports/balance')
    const entries = await api.call(listTransactions, { query: { ipp: '100' } })
    await expect(main.locator('[data-row]')).toHaveCount(entries.length)
    const { credit_limit_satang } = await api.call(getCreditInfo)
    for (const [index, { balance_satang, held_balance_satang }] of entries.entries()) {
      const left = credit_limit_satang + balance_satang - held_balance_satang
      await expect(main.locator('[data-row]').nth(index)).toContainText(bahtText(left))
    }
    await input.tick(main.getByLabel(t('reports.ledger')))
    await expect(main.locator('[data-row]').first()).toContainText(bahtText(entries[0]!.balance_satang))
    await checkScreen(page, info, 'reports-balance')
    const download = page.waitForEvent('download')
    await input.press(page.getByRole('button', { name: 'CSV file' }))
    const text = await readFile(await (await download).path(), 'utf8')
    expect(text.startsWith('\uFEFF')).toBe(true)
    expect(text.trimEnd().split('\n').length).toBeGreaterThan(entries.length)
    await input.press(page.getByRole('button', { name: 'Print' }))
    await expect(main.locator('tbody tr')).toHaveCount(entries.length)
    await expect.poll(prints).toBe(1)
    await checkScreen(page, info, 'reports-print-balance')
    await input.press(page.getByRole('button', { name: 'Back' }))
    await input.press(page.getByRole('button', { name: 'Yesterday' }))
    await page.waitForURL('**date_to=**')
    // Around midnight, yesterday is when the member was made.
    const yesterday = new URL(page.url()).searchParams.get('date_to')!
    const ofYesterday = entries.filter(({ at }) => dayInBangkok(at) === yesterday)
    await expect(main.locator('[data-row]')).toHaveCount(ofYesterday.length)
    await expect(main.getByText(t('reports.none_in_span'))).toHaveCount(ofYesterday.length === 0 ? 1 : 0)
    await page.goto('/reports/balance')
    await expect(main.locator('[data-row]')).toHaveCount(entries.length)
    await openFields(page, input)
    await input.press(page.getByRole('button', { name: 'All markets', exact: true }))
    const ofMarket = entries.filter(({ product_code }) => product_code === settled.product_code)
    const market = isPhone ? 'Singapore' : 'China afternoon'
    await page.getByRole('dialog').getByLabel(market, { exact: true }).check()
    await page.keyboard.press('Escape')
    await expect(main.locator('[data-row]')).toHaveCount(ofMarket.length)
  })

  await test.step('the summary with its charts', async () => {
    await page.goto(summaryOfDay(settled))
    await expect(page.getByTestId('win-loss-sums')).toContainText(`+${bahtText(total)}`)
    for (const group of ['product', 'day', 'month'] as const) {
      await input.choose(group)
      await expect(page.getByTestId('summary-totals')).toContainText(`+${bahtText(total)}`)
    }
    await expect(page.getByTestId('chart-over-time').getByRole('img')).toBeVisible()
    await expect(page.getByTestId('charts').getByText('95', { exact: true })).toBeVisible()
    await checkScreen(page, info, 'reports-summary')
    const download = page.waitForEvent('download')
    await input.press(page.getByRole('button', { name: 'CSV file' }))
    expect(await readFile(await (await download).path(), 'utf8')).toContain((win / 100).toFixed(2))
    await openFields(page, input)
    await input.press(page.getByRole('button', { name: 'All markets', exact: true }))
    await page.getByRole('dialog').getByLabel('Egypt').check()
    await page.keyboard.press('Escape')
    await expect(main.getByText(t('reports.none_in_span'))).toBeVisible()
    await input.press(page.getByRole('button', { name: 'Print' }))
    await expect.poll(prints).toBe(1)
  })
})

test('awards: own wins, a day long past, statistics (th) @desktop-only', async ({
  page,
  url,
  office,
  isPhone,
}, info) => {
  const { api, won } = await historyOf(url, office, isPhone, info)
  const input = new Input(page, isPhone)
  await openAs(page, api)
  await page.goto('/awards')
  await expect(page.getByTestId('own-wins')).toContainText(`+${bahtText(140_000)}`)
  await checkScreen(page, info, 'awards')
  await input.press(page.getByTestId('own-wins').getByRole('link'))
  await page.waitForURL(`**/bills/${won.order_id}`)

  await page.goto('/awards')
  const day = page.getByLabel('ดูผลของวันที่')
  await day.fill('2006-12-30')
  await expect(page.getByRole('heading', { level: 3 }).first()).toBeVisible()
  await expect(page.getByRole('article')).toContainText('30 ธันวาคม 2549')
  await day.fill('2025-12-20')
  await expect(page.getByText('ไม่มีการออกรางวัล แสดงงวดใกล้เคียง', { exact: false })).toBeVisible()
  await expect(page.getByRole('article')).toContainText('763895')

  await input.press(page.getByRole('link', { name: 'สถิติย้อนหลัง' }))
  await expect(page.getByText(wordsOf('th')('awards.statistics.plain_title'))).toBeVisible()
  await expect(page.getByTestId('statistics-span')).toContainText('30 ธ.ค. 2549')
  await checkScreen(page, info, 'statistics')
  await page.getByLabel('จำนวนงวด').selectOption('50')
  await expect(page.getByTestId('statistics-span')).toContainText('50 งวด')
})

test('an upline reads its downline: by people, with the columns of each level (en) @desktop-only', async ({
  page,
  url,
  office,
  isPhone,
}, info) => {
  const { api, username, settled } = await historyOf(url, office, isPhone, info)
  const input = new Input(page, isPhone)
  // A user has one session: the journeys of phone and desktop each have an upline of their own.
  const upline = await signIn(page, url, isPhone ? 'company' : 'agent01', 'en')
  await page.goto(summaryOfDay(settled))
  const table = page.getByRole('region', { name: 'Summary' })
  await expect(table.getByRole('columnheader', { name: 'This level' })).toBeVisible()
  await checkScreen(page, info, 'reports-upline-summary')
  await openFields(page, input)
  await page.getByLabel('Whose').pressSequentially(username)
  await expect(page.getByRole('heading', { level: 1 })).toContainText(username)
  // In the upline's view a member has one row, the same that the member sees.
  const { period_date: date_from, period_date: date_to } = settled
  const own = await api.call(getWinLossSummary, { body: { date_from, date_to, group_by: 'user' } })
  expect(own.totals.member.ticket_count).toBe(2)
  await expect(page.getByTestId('own-sums')).toContainText(bahtText(own.totals.member.received_satang))

  const entries = await api.call(listTransactions, { query: { ipp: '100' } })
  // An operator's own statement has no tools, so its fields are open.
  await page.goto(`/reports/balance?date_from=${dayInBangkok(entries.at(-1)!.at)}`)
  await page.getByLabel('Whose').pressSequentially(username)
  await expect(page.getByRole('heading', { level: 1 })).toContainText(username)
  await expect(page.locator('[data-row]').first()).toContainText(bahtText(entries[0]!.balance_satang))
  expect(upline.sessionToken).not.toBeNull()

  await test.step('its first page, and a market without a bet desk', async () => {
    await page.goto('/')
    await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeAttached()
    await expect(page.getByRole('link', { name: 'Bet', exact: true })).toHaveCount(0)
    await checkScreen(page, info, 'home-of-upline')
    await page.goto('/console/markets/thai-government')
    await expect(page.getByRole('heading', { name: 'Reward rate 70' })).toBeVisible()
    await expect(page.getByTestId('submit-ticket')).toHaveCount(0)
    await expect(page.getByTestId('cell-0-number')).toHaveCount(0)
    await checkScreen(page, info, 'market-of-upline')
  })
})

const dayInBangkok = (at: string): string => new Date(Date.parse(at) + 7 * 3_600_000).toISOString().slice(0, 10)
