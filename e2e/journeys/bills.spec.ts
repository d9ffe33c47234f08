// Goal: a member finds any of its bills, sees all that happened to it, and takes it along on paper and as a picture.

import { readFile } from 'node:fs/promises'
import { checkScreen } from '../check-screen.ts'
import { expect, test } from '../fixtures.ts'
import { anyRound, item, joinMember, makeHistory, placeTicket } from '../history.ts'
import { Input } from '../pages/input.ts'
import { countPrints } from '../pages/printing.ts'
import { newUsername } from '../pages/register-page.ts'
import { openAs } from '../pages/session.ts'
import { TicketPage } from '../pages/ticket-page.ts'
import { bahtText, wordsOf } from '../pages/words.ts'

const t = wordsOf('th')

/** Markets whose shown period is opened by one journey at a time: see `openShownPeriod`. */
const marketOf = (isPhone: boolean): string => (isPhone ? 'germany' : 'russia')

test('bills: found, folded, shared, printed and copied (th) @phone-only', async ({
  page,
  url,
  office,
  openShownPeriod,
  isPhone,
}, info) => {
  const market = marketOf(isPhone)
  // First of all, because the copied slip needs the shown period, and no other journey may show one meanwhile.
  const open = await openShownPeriod(market, anyRound())
  const username = newUsername(info.project.name, 'bil')
  const history = await makeHistory(url, office, username, market, async () => open)
  const { api, won, lost, running, waiting, settled } = history
  const input = new Input(page, isPhone)
  const prints = await countPrints(page)
  const bill = page.getByTestId('ticket-card')
  await openAs(page, api)
  await page.goto('/bills')
  const list = page.getByTestId('bill-list')
  const card = (order_id: number) => list.getByRole('link').filter({ hasText: `#${order_id}` })
  for (const { order_id } of [won, lost, running, waiting]) await expect(card(order_id)).toBeVisible()
  await checkScreen(page, info, 'bills')

  await test.step('one period, and all, folded up', async () => {
    const heads = list.getByRole('heading', { level: 2 }).getByRole('button')
    await expect(heads).toHaveCount(2)
    await input.press(heads.first())
    await expect(card(running.order_id)).toBeHidden()
    await expect(card(won.order_id)).toBeVisible()
    await input.press(page.getByRole('button', { name: 'ขยายทั้งหมด' }))
    await expect(card(running.order_id)).toBeVisible()
    await input.press(page.getByRole('button', { name: 'ย่อทั้งหมด' }))
    await expect(card(won.order_id)).toBeHidden()
    await input.press(page.getByRole('button', { name: 'ขยายทั้งหมด' }))
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
    // The number that was searched for is marked.
    await expect(card(waiting.order_id).locator('mark')).toContainText('47')
    await checkScreen(page, info, 'bills-by-bet')
    await search.fill('ไม่มีคำนี้')
    await expect(page.getByText('ไม่พบบิลตามที่ค้นหา')).toBeVisible()
    await search.fill('')
    await input.press(page.getByRole('button', { name: 'ตัวกรอง', exact: true }))
    await page.getByLabel('สถานะ').selectOption('WAIT_CONFIRM')
    await expect(card(running.order_id)).toBeHidden()
    await expect(card(waiting.order_id)).toBeVisible()
    await page.getByLabel('สถานะ').selectOption('')
    await page.getByLabel('หวย', { exact: true }).selectOption(settled.product_code)
    await page.getByLabel('งวด', { exact: true }).selectOption(settled.period_code)
    await expect(card(waiting.order_id)).toBeHidden()
    await expect(card(lost.order_id)).toBeVisible()
    await checkScreen(page, info, 'bills-filtered')
    await page.reload()
    await expect(card(lost.order_id)).toBeVisible()
    await expect(page.getByRole('button', { name: 'ตัวกรอง (2)' })).toBeVisible()
  })

  await test.step('a ticket with all its events', async () => {
    await input.press(card(won.order_id))
    await expect(bill.getByTestId('order-status')).toHaveAttribute('data-outcome', 'won')
    // The number that has won stands first.
    await expect(bill.getByTestId('ticket-line').first()).toContainText(`+${(140_000 / 100).toLocaleString('en')}`)
    await new TicketPage(page).openHistory()
    const timeline = page.getByTestId('timeline').getByRole('listitem')
    await expect(timeline).toHaveCount(5)
    await expect(timeline.first()).toContainText(won.username)
    await expect(timeline.nth(3)).toContainText('ยืนยันแล้ว')
    await expect(timeline.last()).toContainText('ออกผลแล้ว')
    await expect(page.getByText(bahtText(140_000), { exact: true }).first()).toBeVisible()
    await checkScreen(page, info, 'bills-ticket')
  })

  await test.step('shared as a picture', async () => {
    await input.press(page.getByRole('button', { name: 'แชร์' }))
    const picture = page.getByTestId('ticket-picture')
    await expect(picture).toBeVisible()
    // Two device pixels for each unit of the drawing.
    expect(await picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1_080)
    const download = page.waitForEvent('download')
    await input.press(page.getByRole('button', { name: 'บันทึกรูป' }))
    const file = await download
    expect(file.suggestedFilename()).toBe(`megalot-${won.order_id}.png`)
    const bytes = await readFile(await file.path())
    expect(bytes.subarray(1, 4).toString('latin1')).toBe('PNG')
    await checkScreen(page, info, 'bills-share')
    await page.keyboard.press('Escape')
  })

  await test.step('printed', async () => {
    await input.press(page.getByRole('button', { name: 'พิมพ์' }))
    await expect(page.getByRole('img', { name: 'คิวอาร์โค้ดของบิลนี้' })).toBeVisible()
    await expect.poll(prints).toBe(1)
    await expect(page.getByRole('navigation')).toHaveCount(0)
    await checkScreen(page, info, 'bills-print-bill')
    await input.press(page.getByRole('button', { name: 'กลับ' }))
    await expect(bill).toBeVisible()
  })

  await test.step('copied into a new slip', async () => {
    await page.goto(`/bills/${won.order_id}`)
    await input.press(page.getByRole('button', { name: t('bills.copy.action') }))
    await page.waitForURL(`**/bet/${open.product_code}`)
    await input.choose('grid')
    await expect(page.getByTestId('cell-0-number')).toHaveValue('95')
    await expect(page.getByTestId('cell-0-top')).toHaveValue('20')
    await expect(page.getByTestId('cell-1-number')).toHaveValue('25')
    await page.reload()
    // Once: the slip stays, and nothing is added again.
    await expect(page.getByTestId('cell-1-bottom')).toHaveValue('10')
    await expect(page.getByTestId('cell-2-number')).toHaveValue('')
  })
})

test('a list continues to its end, and renders only rows near the screen @phone-only', async ({
  page,
  url,
  office,
}, info) => {
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
  await expect(page.getByTestId('ticket-card')).toBeVisible()
  await page.goBack()
  await expect(last).toBeInViewport()
})

test('the data of a page is requested when its link is hovered (th) @desktop-only', async ({
  page,
  url,
  office,
}, info) => {
  await openAs(page, await joinMember(url, office, newUsername(info.project.name, 'hov')))
  await page.goto('/')
  const bills = page.getByRole('navigation').getByRole('link', { name: 'บิล', exact: true })
  await expect(bills).toBeVisible()
  const request = page.waitForRequest((one) => one.url().includes('/api/') && one.url().includes('with_period=true'))
  await bills.hover()
  await request
  await expect(page).toHaveURL(/\/$/)
  await bills.click()
  await expect(page.getByTestId('empty-note')).toBeVisible()
})
