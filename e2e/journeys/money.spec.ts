// Goal: a member always sees its money: in its bills, its reports and the results, on paper and in files.

import { getWinLossSummary, listPeriodWinLoss, listTransactions } from '@megalot/contract'
import type { Page, TestInfo } from '@playwright/test'
import { readFile } from 'node:fs/promises'
import { checkScreen } from '../check-screen.ts'
import { expect, tagOf, test } from '../fixtures.ts'
import { anyRound, type History, item, joinMember, makeHistory, placeTicket } from '../history.ts'
import type { Office } from '../office.ts'
import { Hand } from '../pages/hand.ts'
import { newUsername } from '../pages/register-page.ts'
import { openAs, signIn } from '../pages/session.ts'
import { bahtText } from '../pages/words.ts'

const marketOf = (isPhone: boolean): string => (isPhone ? 'hanoi' : 'hanoi-special')

let memberHistory: Promise<History> | undefined

/** One member history for all journeys of this file, which run one after the other. */
function historyOf(url: string, office: Office, isPhone: boolean, info: TestInfo): Promise<History> {
  const product_code = marketOf(isPhone)
  memberHistory ??= makeHistory(url, office, newUsername(info.project.name, 'mon'), product_code, () =>
    office.openFirstPeriod(product_code, anyRound()),
  )
  return memberHistory
}

/** On a phone the fields of a report are collapsed under their summary. */
async function openFields(page: Page, hand: Hand): Promise<void> {
  if (hand.isPhone) await hand.press(page.getByRole('button', { name: /·.* (markets?|หวย)/ }))
}

/** Replaces the browser's own dialog, and counts how often it was opened. */
async function countPrints(page: Page): Promise<() => Promise<number>> {
  await page.addInitScript(() => {
    Object.assign(window, { prints: 0, print: () => ((window as unknown as { prints: number }).prints += 1) })
  })
  return () => page.evaluate(() => (window as unknown as { prints: number }).prints)
}

test('bills: found, folded, shared, printed and copied (th)', async ({ page, url, office, isPhone }, info) => {
  const { api, won, lost, running, waiting, settled, open } = await historyOf(url, office, isPhone, info)
  const hand = new Hand(page, isPhone)
  const prints = await countPrints(page)
  await openAs(page, api)
  await page.goto('/bills')
  const list = page.getByTestId('bill-list')
  const card = (order_id: number) => list.getByRole('link').filter({ hasText: `#${order_id}` })
  for (const { order_id } of [won, lost, running, waiting]) await expect(card(order_id)).toBeVisible()
  await checkScreen(page, info, 'money-bills')

  await test.step('one period, and all, folded up', async () => {
    const heads = list.getByRole('heading', { level: 2 }).getByRole('button')
    await expect(heads).toHaveCount(2)
    await hand.press(heads.first())
    await expect(card(running.order_id)).toBeHidden()
    await expect(card(won.order_id)).toBeVisible()
    await hand.press(page.getByRole('button', { name: 'ขยายทั้งหมด' }))
    await expect(card(running.order_id)).toBeVisible()
    await hand.press(page.getByRole('button', { name: 'ย่อทั้งหมด' }))
    await expect(card(won.order_id)).toBeHidden()
    await hand.press(page.getByRole('button', { name: 'ขยายทั้งหมด' }))
  })

  await test.step('searched by note, number and bet, narrowed by status and period', async () => {
    const search = page.getByRole('searchbox', { name: 'เลขที่บิล เลขที่แทง หมายเหตุ' })
    await search.fill('ป้าแดง')
    await expect(card(won.order_id)).toBeHidden()
    await expect(card(running.order_id)).toBeVisible()
    await search.fill(`#${won.order_id}`)
    await expect(card(won.order_id)).toBeVisible()
    await expect(card(running.order_id)).toBeHidden()
    await search.fill('123')
    await expect(card(lost.order_id)).toBeVisible()
    await expect(card(won.order_id)).toBeHidden()
    await search.fill('๔๗')
    await expect(card(waiting.order_id)).toBeVisible()
    await expect(card(lost.order_id)).toBeHidden()
    await checkScreen(page, info, 'money-bills-by-bet')
    await search.fill('ไม่มีคำนี้')
    await expect(page.getByText('ไม่พบบิลตามที่ค้นหา')).toBeVisible()
    await search.fill('')
    await hand.press(page.getByRole('button', { name: 'ตัวกรอง', exact: true }))
    await page.getByLabel('สถานะ').selectOption('WAIT_CONFIRM')
    await expect(card(running.order_id)).toBeHidden()
    await expect(card(waiting.order_id)).toBeVisible()
    await page.getByLabel('สถานะ').selectOption('')
    await page.getByLabel('หวย', { exact: true }).selectOption(settled.product_code)
    await page.getByLabel('งวด', { exact: true }).selectOption(settled.period_code)
    await expect(card(waiting.order_id)).toBeHidden()
    await expect(card(lost.order_id)).toBeVisible()
    await checkScreen(page, info, 'money-bills-filtered')
    await page.reload()
    await expect(card(lost.order_id)).toBeVisible()
    await expect(page.getByRole('button', { name: 'ตัวกรอง (2)' })).toBeVisible()
  })

  await test.step('a ticket with all its events', async () => {
    await hand.press(card(won.order_id))
    const timeline = page.getByTestId('timeline').getByRole('listitem')
    await expect(timeline).toHaveCount(4)
    await expect(timeline.first()).toContainText(won.username)
    await expect(timeline.last()).toContainText('ยืนยันแล้ว')
    await expect(page.getByText(bahtText(140_000), { exact: true }).first()).toBeVisible()
    await checkScreen(page, info, 'money-ticket')
  })

  await test.step('shared as a picture', async () => {
    await hand.press(page.getByRole('button', { name: 'แชร์' }))
    const picture = page.getByTestId('ticket-picture')
    await expect(picture).toBeVisible()
    // Two device pixels for each unit of the drawing.
    expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1_080)
    const download = page.waitForEvent('download')
    await hand.press(page.getByRole('button', { name: 'บันทึกรูป' }))
    const file = await download
    expect(file.suggestedFilename()).toBe(`megalot-${won.order_id}.png`)
    const bytes = await readFile(await file.path())
    expect(bytes.subarray(1, 4).toString('latin1')).toBe('PNG')
    await checkScreen(page, info, 'money-share')
    await page.keyboard.press('Escape')
  })

  await test.step('printed', async () => {
    await hand.press(page.getByRole('button', { name: 'พิมพ์' }))
    await expect(page.getByRole('img', { name: 'คิวอาร์โค้ดของบิลนี้' })).toBeVisible()
    await expect.poll(prints).toBe(1)
    await expect(page.getByRole('navigation')).toHaveCount(0)
    await checkScreen(page, info, 'money-print-bill')
    await hand.press(page.getByRole('button', { name: 'กลับ' }))
    await expect(page.getByTestId('timeline')).toBeVisible()
  })

  await test.step('copied into a new slip', async () => {
    await page.goto(`/bills/${won.order_id}`)
    await hand.press(page.getByRole('button', { name: 'คัดลอกเป็นโพยใหม่' }))
    await page.waitForURL(`**/bet/${open.product_code}`)
    await hand.choose('grid')
    await expect(page.getByTestId('cell-0-number')).toHaveValue('95')
    await expect(page.getByTestId('cell-0-top')).toHaveValue('20')
    await expect(page.getByTestId('cell-1-number')).toHaveValue('25')
    await page.reload()
    // Once: the slip stays, and nothing is added again.
    await expect(page.getByTestId('cell-1-bottom')).toHaveValue('10')
    await expect(page.getByTestId('cell-2-number')).toHaveValue('')
  })
})

test('reports: by period and into it, statement, summary (en)', async ({ page, url, office, isPhone }, info) => {
  const { api, won, lost, settled } = await historyOf(url, office, isPhone, info)
  const hand = new Hand(page, isPhone)
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
    await checkScreen(page, info, 'money-reports')
    await hand.choose('loss_only')
    await expect(sums).toContainText(bahtText(0))
    await hand.choose('all')
  })

  await test.step('into a period, with the four filters', async () => {
    await expect(main.locator('[data-row]')).toHaveCount(2)
    await hand.press(main.locator('[data-row]').last().getByRole('link'))
    await page.waitForURL(`**/reports/win-loss/${settled.period_code}**`)
    await expect(main.locator('[data-row]')).toHaveCount(2)
    await hand.choose('win_only')
    await expect(main.locator('[data-row]')).toHaveCount(1)
    await expect(main.locator('[data-row] li')).toHaveText([/95/])
    await hand.choose('win_tickets')
    await expect(main.locator('[data-row] li')).toHaveCount(2)
    await hand.choose('loss_only')
    await expect(main.locator('[data-row] li')).toHaveCount(3)
    await hand.choose('all')
    await expect(main.locator('[data-row] li')).toHaveCount(4)
    await checkScreen(page, info, 'money-period')
  })

  await test.step('the statement, in a file and on paper', async () => {
    await page.goto('/reports/balance')
    const entries = await api.call(listTransactions, { query: { ipp: '100' } })
    await expect(main.locator('[data-row]')).toHaveCount(entries.length)
    for (const [index, entry] of entries.entries())
      await expect(main.locator('[data-row]').nth(index)).toContainText(bahtText(entry.balance_satang))
    await checkScreen(page, info, 'money-balance')
    const download = page.waitForEvent('download')
    await hand.press(page.getByRole('button', { name: 'CSV file' }))
    const text = await readFile(await (await download).path(), 'utf8')
    expect(text.startsWith('\uFEFF')).toBe(true)
    expect(text.trimEnd().split('\n').length).toBeGreaterThan(entries.length)
    await hand.press(page.getByRole('button', { name: 'Print' }))
    await expect(main.locator('tbody tr')).toHaveCount(entries.length)
    await expect.poll(prints).toBe(1)
    await checkScreen(page, info, 'money-print-balance')
    await hand.press(page.getByRole('button', { name: 'Back' }))
    await hand.press(page.getByRole('button', { name: 'Yesterday' }))
    await expect(main.getByText('Nothing in this span')).toBeVisible()
    await page.goto('/reports/balance')
    await expect(main.locator('[data-row]')).toHaveCount(entries.length)
    await openFields(page, hand)
    await hand.press(page.getByRole('button', { name: 'All markets', exact: true }))
    const ofMarket = entries.filter(({ product_code }) => product_code === settled.product_code)
    const market = isPhone ? 'Hanoi' : 'Hanoi special'
    await page.getByRole('dialog').getByLabel(market, { exact: true }).check()
    await page.keyboard.press('Escape')
    await expect(main.locator('[data-row]')).toHaveCount(ofMarket.length)
  })

  await test.step('the summary with its charts', async () => {
    await page.goto('/reports/summary')
    await expect(page.getByTestId('win-loss-sums')).toContainText(`+${bahtText(total)}`)
    for (const group of ['product', 'day', 'month'] as const) {
      await hand.choose(group)
      await expect(page.getByTestId('summary-totals')).toContainText(`+${bahtText(total)}`)
    }
    await expect(page.getByTestId('charts').getByRole('img')).toBeVisible()
    await expect(page.getByTestId('charts').getByText('95', { exact: true })).toBeVisible()
    await checkScreen(page, info, 'money-summary')
    const download = page.waitForEvent('download')
    await hand.press(page.getByRole('button', { name: 'CSV file' }))
    expect(await readFile(await (await download).path(), 'utf8')).toContain((win / 100).toFixed(2))
    await openFields(page, hand)
    await hand.press(page.getByRole('button', { name: 'All markets', exact: true }))
    await page.getByRole('dialog').getByLabel('Egypt').check()
    await page.keyboard.press('Escape')
    await expect(main.getByText('Nothing in this span')).toBeVisible()
    await hand.press(page.getByRole('button', { name: 'Print' }))
    await expect.poll(prints).toBe(1)
  })
})

test('awards: own wins, a day long past, statistics (th)', async ({ page, url, office, isPhone }, info) => {
  const { api, won } = await historyOf(url, office, isPhone, info)
  const hand = new Hand(page, isPhone)
  await openAs(page, api)
  await page.goto('/awards')
  await expect(page.getByTestId('own-wins')).toContainText(`+${bahtText(140_000)}`)
  await checkScreen(page, info, 'money-awards')
  await hand.press(page.getByTestId('own-wins').getByRole('link'))
  await page.waitForURL(`**/bills/${won.order_id}`)

  await page.goto('/awards')
  const day = page.getByLabel('ดูผลของวันที่')
  await day.fill('2006-12-30')
  await expect(page.getByRole('heading', { level: 3 }).first()).toBeVisible()
  await expect(page.getByRole('article')).toContainText('30 ธันวาคม 2549')
  await day.fill('2025-12-20')
  await expect(page.getByText('ไม่มีการออกรางวัล แสดงงวดใกล้เคียง', { exact: false })).toBeVisible()
  await expect(page.getByRole('article')).toContainText('763895')

  await hand.press(page.getByRole('link', { name: 'สถิติย้อนหลัง' }))
  await expect(page.getByText('สถิตินี้ทำนายอะไรไม่ได้')).toBeVisible()
  await expect(page.getByTestId('statistics-span')).toContainText('30 ธ.ค. 2549')
  await checkScreen(page, info, 'money-statistics')
  await page.getByLabel('จำนวนงวด').selectOption('50')
  await expect(page.getByTestId('statistics-span')).toContainText('50 งวด')
})

test('a ticket is deleted by the office, and the member sees by whom and why (en)', async ({
  page,
  url,
  office,
  isPhone,
}, info) => {
  const { api, running, username } = await historyOf(url, office, isPhone, info)
  const hand = new Hand(page, isPhone)
  const [first] = office.apis
  await openAs(page, first, 'en')
  await page.goto('/office/bills')
  await page.getByLabel('Ticket, bet number or note').fill(String(running.order_id))
  await hand.press(page.getByRole('button', { name: 'Search' }))
  const rows = page.getByRole('main').locator('tbody tr')
  const row = rows.filter({ hasText: `#${running.order_id}` })
  await expect(row).toContainText(username)
  const columns = ['Ticket ID', 'Bet time', 'Product@period', 'Member', 'Net', 'Delete']
  await expect(page.getByRole('main').locator('thead th')).toHaveText(columns)
  // Until the reply arrives the earlier list stays, and its rows are about to move.
  await expect(rows).toHaveCount(1)
  await checkScreen(page, info, 'money-manage')
  await hand.press(row.getByRole('button'))
  const sheet = page.getByRole('dialog')
  await hand.press(sheet.getByRole('button', { name: 'Delete ticket' }))
  await expect(sheet.getByText('Please give a reason')).toBeVisible()
  await sheet.getByLabel('Reason').fill('ลูกค้าขอลบ')
  await checkScreen(page, info, 'money-delete')
  await hand.press(sheet.getByRole('button', { name: 'Delete ticket' }))
  await expect(sheet).toBeHidden()
  await expect(row).toBeHidden()

  await openAs(page, api, 'en')
  await page.goto('/')
  const news = page.getByTestId('deleted-news')
  await expect(news.getByText('By office01')).toBeVisible()
  await checkScreen(page, info, 'money-deleted-news')
  await hand.press(news.getByRole('button'))
  await expect(news).toBeHidden()
  await page.goto('/bills/deleted')
  await expect(page.getByRole('link').filter({ hasText: `#${running.order_id}` })).toBeVisible()
  await expect(news).toBeHidden()
  await hand.press(page.getByRole('link').filter({ hasText: `#${running.order_id}` }))
  const last = page.getByTestId('timeline').getByRole('listitem').last()
  await expect(last).toContainText('ลูกค้าขอลบ')
  await expect(last).toContainText('office01')
})

test('news: a ticket that waits, a result that was corrected (th)', async ({ page, url, office, isPhone }, info) => {
  const { api, settled, waiting } = await historyOf(url, office, isPhone, info)
  const hand = new Hand(page, isPhone)
  await openAs(page, api)
  await page.goto('/')
  await test.step('a ticket that waits, until it is decided', async () => {
    const news = page.getByTestId('waiting-news')
    await expect(news.getByTestId('countdown')).toBeVisible()
    await checkScreen(page, info, 'money-news-waiting')
    await hand.press(news.getByRole('link'))
    await page.waitForURL(`**/bills/${waiting.order_id}`)
    await expect(news).toBeHidden()
    await hand.press(page.getByRole('button', { name: 'ยืนยันทั้งหมด' }))
    await expect(page.getByTestId('order-decision')).toBeHidden()
    await page.goto('/manual')
    await expect(page.getByTestId('order-status')).toHaveCount(0)
    await expect(news).toBeHidden()
  })

  await test.step('a result that was corrected', async () => {
    await office.correct(settled, { top3: '859', bottom2: '25' }, 'typed the digits the wrong way round')
    const news = page.getByTestId('period-news')
    await expect(news).toContainText('859 / 25', { timeout: 30_000 })
    await expect(news).toContainText(`+${bahtText(35_000)}`)
    await checkScreen(page, info, 'money-news-corrected')
    await hand.press(page.getByRole('link', { name: 'ประกาศ ยังไม่ได้อ่าน 1' }))
    await expect(page.getByRole('listitem').filter({ hasText: '859 / 25' })).toBeVisible()
    await expect(news).toBeHidden()
    await expect(page.getByRole('link', { name: 'ประกาศ', exact: true })).toBeVisible()
    await page.goto('/awards')
    await expect(page.getByText('แก้ไขผลแล้ว เดิม 895 / 52').first()).toBeVisible()
  })
})

const voided = {
  th: {
    title: 'งวดถูกยกเลิก คืนเงินเดิมพันให้คุณแล้ว',
    refund: 'คืนเงิน 1 บิล รวม 21.60 บาท',
    reason: 'เหตุผล: ไม่มีการออกรางวัล',
    chip: 'คืนเงินแล้ว',
    report: 'คืนเงินงวดที่ยกเลิก 1 บิล รวม 21.60 บาท',
  },
  en: {
    title: 'A period was voided: your stakes were refunded',
    refund: '1 ticket was refunded: 21.60 Baht',
    reason: 'Reason: ไม่มีการออกรางวัล',
    chip: 'Refunded',
    report: '1 ticket of voided periods refunded: 21.60 Baht',
  },
} as const

for (const language of ['th', 'en'] as const)
  test(
    `a period is voided, and its member sees where the money is (${language})`,
    { tag: tagOf(language, 'th-phone') },
    async ({ page, url, office, isPhone }, info) => {
      const words = voided[language]
      const api = await joinMember(url, office, `voided${language}${isPhone ? 'phone' : 'desktop'}`)
      const period = await office.openPeriod('hanoi-vip', anyRound())
      const order = await placeTicket(api, period, [item('2top', '95', 20), item('2bottom', '25', 10)])
      await office.voidPeriod(period, 'ไม่มีการออกรางวัล')
      const hand = new Hand(page, isPhone)
      await openAs(page, api, language)
      await page.goto('/')
      const news = page.getByTestId('period-news')
      for (const text of [words.title, words.refund, words.reason]) await expect(news).toContainText(text)
      await checkScreen(page, info, `money-news-voided-${language}`)
      await hand.press(news.getByRole('button'))
      await expect(news).toBeHidden()
      await page.goto(`/bills/${order.order_id}`)
      await expect(page.getByTestId('order-status').first()).toHaveText(words.chip)
      await expect(page.getByTestId('timeline').getByRole('listitem').last()).toContainText('office02')
      await checkScreen(page, info, `money-bill-voided-${language}`)
      await page.goto('/reports')
      await expect(page.getByTestId('refunded')).toContainText(words.report)
      await checkScreen(page, info, `money-report-voided-${language}`)
    },
  )

test('news: a slip that was not sent, a result (th)', async ({ page, url, office, isPhone }, info) => {
  const { api, open } = await historyOf(url, office, isPhone, info)
  const hand = new Hand(page, isPhone)
  await openAs(page, api)
  await test.step('an unsent slip, in the last ten minutes before the close', async () => {
    const soon = await office.openFirstPeriod(open.product_code, anyRound(), 9 * 60_000)
    await page.goto(`/bet/${soon.product_code}`)
    await hand.choose('grid')
    const news = page.getByTestId('closing-news')
    await page.getByTestId('cell-0-number').fill('77')
    await page.getByTestId('cell-0-top').fill('20')
    await expect(news).toBeHidden()
    await page.goto('/manual')
    await expect(news.getByTestId('countdown')).toBeVisible()
    await checkScreen(page, info, 'money-news-closing')
    await hand.press(news.getByRole('link'))
    await page.waitForURL(({ pathname }) => pathname === `/bet/${soon.product_code}`)
    await expect(news).toBeHidden()
    await office.closePeriod(soon.period_code)
  })

  await test.step('a result that is awaited', async () => {
    await page.goto('/manual')
    await office.closePeriod(open.period_code)
    await office.settle(open, { top3: '347', bottom2: '35' })
    const news = page.getByTestId('settled-news')
    // 47 pays half since the manual setting: 50 at 35, and 10 at 70.
    await expect(news).toContainText(`+${bahtText(245_000)}`, { timeout: 30_000 })
    await checkScreen(page, info, 'money-news-settled')
    await hand.press(news.getByRole('button'))
    await expect(news).toBeHidden()
    await page.reload()
    await expect(page.getByRole('heading', { level: 2 }).first()).toBeVisible()
    await expect(news).toBeHidden()
  })
})

test('an upline reads its downline: by people, with the columns of each level (en)', async ({
  page,
  url,
  office,
  isPhone,
}, info) => {
  const { api, username, won } = await historyOf(url, office, isPhone, info)
  const hand = new Hand(page, isPhone)
  // A user has one session: the journeys of phone and desktop each have an upline of their own.
  const upline = await signIn(page, url, isPhone ? 'company' : 'agent01', 'en')
  await page.goto('/reports/summary')
  const table = page.getByRole('region', { name: 'Summary' })
  await expect(table.getByRole('columnheader', { name: 'This level' })).toBeVisible()
  await checkScreen(page, info, 'money-upline-summary')
  await openFields(page, hand)
  await page.getByLabel('Whose').pressSequentially(username)
  await expect(page.getByRole('heading', { level: 1 })).toContainText(username)
  // In the upline's view a member has one row, the same that the member sees.
  const own = await api.call(getWinLossSummary, { body: { ...today(), group_by: 'user' } })
  await hand.press(page.getByRole('button', { name: 'This month' }))
  await expect(page.getByTestId('win-loss-sums')).toContainText(bahtText(own.totals.member.received_satang))

  await page.goto('/reports/balance')
  await openFields(page, hand)
  await page.getByLabel('Whose').pressSequentially(username)
  await expect(page.getByRole('heading', { level: 1 })).toContainText(username)
  const entries = await api.call(listTransactions, { query: { ipp: '100' } })
  await expect(page.locator('[data-row]').first()).toContainText(bahtText(entries[0]!.balance_satang))
  await page.goto('/bills')
  await hand.press(page.getByRole('button', { name: 'Filters', exact: true }))
  await page.getByRole('textbox', { name: 'Member', exact: true }).fill(username)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Filters (1)' })).toBeVisible()
  await page.getByRole('searchbox').fill(String(won.order_id))
  await expect(page.getByRole('link').filter({ hasText: `#${won.order_id}` })).toContainText(username)
  expect(upline.sessionId).not.toBeNull()

  await test.step('its first page, and a market without a bet desk', async () => {
    await page.goto('/')
    await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeAttached()
    await expect(page.getByRole('link', { name: 'Bet', exact: true })).toHaveCount(0)
    await checkScreen(page, info, 'home-of-upline')
    await page.locator('a[href="/bet/thai-government"]').click()
    await expect(page.getByRole('heading', { name: 'Reward rate 70' })).toBeVisible()
    await expect(page.getByTestId('submit-ticket')).toHaveCount(0)
    await expect(page.getByTestId('cell-0-number')).toHaveCount(0)
    await checkScreen(page, info, 'market-of-upline')
  })
})

/** The month so far, in Bangkok. */
function today(): { date_from: string; date_to: string } {
  const date_to = new Date(Date.now() + 7 * 3_600_000).toISOString().slice(0, 10)
  return { date_from: `${date_to.slice(0, 8)}01`, date_to }
}

test('a list continues to its end, and renders only rows near the screen', async ({ page, url, office }, info) => {
  const api = await joinMember(url, office, newUsername(info.project.name, 'end'))
  const period = await office.openPeriod('yeekee', anyRound())
  const { order_id: oldest } = await placeTicket(api, period, [item('2top', '01', 5)])
  for (let at = 1; at < 120; at += 1) await placeTicket(api, period, [item('2top', '01', 5)])
  await openAs(page, api)
  await page.goto('/bills')
  const links = page.getByTestId('bill-list').getByRole('link')
  await expect(links.first()).toBeVisible()
  const last = page.getByRole('link').filter({ hasText: new RegExp(`#${oldest}\\b`) })
  await expect
    .poll(async () => {
      await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight))
      return last.count()
    })
    .toBe(1)
  await expect(last).toBeVisible()
  expect(await links.count()).toBeLessThan(80)
  await last.click()
  await expect(page.getByTestId('timeline')).toBeVisible()
  await page.goBack()
  await expect(last).toBeInViewport()
})
