// Goal: whatever happens to a member's tickets and periods without it, the next page shows it, once, with the money.

import type { TestInfo } from '@playwright/test'
import { checkScreen, waitUntilThere } from '../check-screen.ts'
import { expect, tagOf, test } from '../fixtures.ts'
import { anyRound, type History, item, joinMember, makeHistory, placeTicket } from '../history.ts'
import type { Office } from '../office.ts'
import { Input } from '../pages/input.ts'
import { newUsername } from '../pages/register-page.ts'
import { openAs } from '../pages/session.ts'
import { wordsOf, bahtText } from '../pages/words.ts'

/**
 * A line of news stands above every page inside: where the page below is of no matter, it is this short one, because axe takes ten times
 * as long for the list of markets or the manual, which the other journeys of this file check in the same language and theme.
 */
const SHORT_PAGE = '/account/password'

/** Markets of these journeys alone. */
const marketOf = (isPhone: boolean): string => (isPhone ? 'hanoi' : 'hanoi-special')

let memberHistory: Promise<History> | undefined

/** One member history for all journeys of this file, which run one after the other. */
function historyOf(url: string, office: Office, isPhone: boolean, info: TestInfo): Promise<History> {
  const product_code = marketOf(isPhone)
  memberHistory ??= makeHistory(url, office, newUsername(info.project.name, 'new'), product_code, () =>
    office.openFirstPeriod(product_code, anyRound()),
  )
  return memberHistory
}

test('a ticket is deleted by the office, and the member sees by whom and why (en) @desktop-only', async ({
  page,
  url,
  office,
  isPhone,
}, info) => {
  const { api, running, username } = await historyOf(url, office, isPhone, info)
  const input = new Input(page, isPhone)
  const [first] = office.apis
  await openAs(page, first, 'en')
  await page.goto('/console/tickets')
  await page.getByLabel('Ticket, member, bet number or note').fill(String(running.order_id))
  const rows = page.locator('[data-grid-row]')
  const row = rows.filter({ hasText: `#${running.order_id}` })
  await expect(row).toContainText(username)
  const columns = ['Ticket ID', 'Bet time', 'Market and period', 'Member', 'Net', 'Prize', 'Status', 'Delete']
  await expect(page.getByRole('columnheader')).toHaveText(columns)
  // Until the reply arrives the earlier list stays, and its rows are about to move.
  await expect(rows).toHaveCount(1)
  await checkScreen(page, info, 'news-manage')
  await input.press(row.getByRole('button'))
  const sheet = page.getByRole('dialog')
  await input.press(sheet.getByRole('button', { name: 'Delete ticket' }))
  await expect(sheet.getByText('Please give a reason')).toBeVisible()
  await sheet.getByLabel('Reason').fill('ลูกค้าขอลบ')
  await checkScreen(page, info, 'news-delete')
  await input.press(sheet.getByRole('button', { name: 'Delete ticket' }))
  await expect(sheet).toBeHidden()
  await expect(row.getByTestId('order-status')).toHaveText('Deleted')
  await expect(row.getByRole('button')).toHaveCount(0)

  await openAs(page, api, 'en')
  // The line above the pages has the ticket that waits: the inbox has everything.
  await page.goto('/announcements')
  await expect(page.getByTestId('deleted-entry')).toContainText('Ticket deleted by the office')
  await checkScreen(page, info, 'news-deleted')
  await page.goto('/bills/deleted')
  await input.press(page.getByRole('link').filter({ hasText: `#${running.order_id}` }))
  const last = page.getByTestId('timeline').getByRole('listitem').last()
  await expect(last).toContainText('ลูกค้าขอลบ')
  await expect(last).toContainText('by the office')
})

test('news: a ticket that waits, a result that was corrected (th) @phone-only', async ({
  page,
  url,
  office,
  isPhone,
}, info) => {
  const { api, settled, waiting } = await historyOf(url, office, isPhone, info)
  const input = new Input(page, isPhone)
  await openAs(page, api)
  await page.goto('/')
  await test.step('a ticket that waits, until it is decided', async () => {
    const news = page.getByTestId('waiting-news')
    await expect(news.getByTestId('countdown')).toBeVisible()
    await checkScreen(page, info, 'news-waiting')
    await input.press(news.getByRole('link'))
    await page.waitForURL(`**/bills/${waiting.order_id}`)
    await expect(news).toBeHidden()
    await input.press(page.getByRole('button', { name: 'ยืนยันทั้งหมด' }))
    await expect(page.getByTestId('order-decision')).toBeHidden()
    await page.goto('/manual')
    await expect(page.getByTestId('order-status')).toHaveCount(0)
    await expect(news).toBeHidden()
  })

  await test.step('a result that was corrected', async () => {
    await office.correct(
      settled,
      { first_prize: '63859', top3: '859', bottom2: '25' },
      'typed the digits the wrong way round',
    )
    const news = page.getByTestId('period-news')
    await expect(news).toContainText('ผลรางวัลที่ประกาศไปแล้วถูกแก้ไข', { timeout: 30_000 })
    await checkScreen(page, info, 'news-corrected')
    await input.press(page.getByRole('link', { name: /^ประกาศ ยังไม่ได้อ่าน \d+$/ }))
    const notice = page.getByRole('listitem').filter({ hasText: '63859 / 25' })
    await expect(notice).toContainText(`+${bahtText(35_000)}`)
    await expect(news).toBeHidden()
    await checkScreen(page, info, 'news-inbox')
    await expect(page.getByRole('link', { name: 'ประกาศ', exact: true })).toBeVisible()
    await page.goto('/awards')
    await expect(page.getByText('แก้ไขผลแล้ว เดิม 63895 / 52').first()).toBeVisible()
    await expect(page.getByText('เลขที่ออก 63859').first()).toBeVisible()
  })
})

for (const language of ['th', 'en'] as const)
  test(
    `a period is voided, and its member sees where the money is (${language})`,
    { tag: tagOf(language, 'th-phone') },
    async ({ page, url, office, isPhone }, info) => {
      const t = wordsOf(language)
      const api = await joinMember(url, office, `voided${language}${isPhone ? 'phone' : 'desktop'}`)
      const period = await office.openPeriod('hanoi', anyRound())
      const order = await placeTicket(api, period, [item('2top', '95', 20), item('2bottom', '25', 10)])
      await office.voidPeriod(period, 'ไม่มีการออกรางวัล')
      const input = new Input(page, isPhone)
      await openAs(page, api, language)
      await page.goto(SHORT_PAGE)
      await waitUntilThere(page)
      const news = page.getByTestId('period-news')
      await expect(news).toContainText(t('news.voided.title'))
      await checkScreen(page, info, `news-voided-${language}`)
      await input.press(news.getByRole('button'))
      await expect(news).toBeHidden()
      await page.goto('/announcements')
      for (const text of [
        t('news.voided.refund', { count: 1, amount: '21.60' }),
        t('news.voided.reason', { reason: 'ไม่มีการออกรางวัล' }),
      ])
        await expect(page.getByText(text)).toBeVisible()
      await page.goto(`/bills/${order.order_id}`)
      await expect(page.getByTestId('order-status').first()).toHaveText(t('common.order_status.REFUNDED'))
      await expect(page.getByTestId('timeline').getByRole('listitem').last()).toContainText(
        t('bills.by', { actor: t('bills.office') }),
      )
      await checkScreen(page, info, `news-bill-voided-${language}`)
      await page.goto('/reports')
      await expect(page.getByTestId('refunded')).toContainText(
        t('reports.sums.refunded', { count: 1, amount: '21.60' }),
      )
      await checkScreen(page, info, `news-report-voided-${language}`)
    },
  )

test('news: a slip that was not sent, a result (th) @phone-only', async ({ page, url, office, isPhone }, info) => {
  const { api, open } = await historyOf(url, office, isPhone, info)
  const input = new Input(page, isPhone)
  await openAs(page, api)
  await test.step('an unsent slip, in the last ten minutes before the close', async () => {
    const soon = await office.openFirstPeriod(open.product_code, anyRound(), 9 * 60_000)
    await page.goto(`/bet/${soon.product_code}`)
    await input.choose('grid')
    const news = page.getByTestId('closing-news')
    await page.getByTestId('cell-0-number').fill('77')
    await page.getByTestId('cell-0-top').fill('20')
    await expect(news).toBeHidden()
    await page.goto(SHORT_PAGE)
    await waitUntilThere(page)
    await expect(news.getByTestId('countdown')).toBeVisible()
    await checkScreen(page, info, 'news-closing')
    await input.press(news.getByRole('link'))
    await page.waitForURL(({ pathname }) => pathname === `/bet/${soon.product_code}`)
    await expect(news).toBeHidden()
    await office.closePeriod(soon.period_code)
  })

  await test.step('a result that is awaited', async () => {
    // The inbox lists it, and marks it read; the line may show something more urgent.
    await page.goto('/announcements')
    await waitUntilThere(page)
    await office.closePeriod(open.period_code)
    await office.settle(open, { first_prize: '12347', top3: '347', bottom2: '35' })
    // 47 pays half since the manual setting: 50 at 35, and 10 at 70.
    await expect(page.getByTestId('settled-entry')).toContainText(`+${bahtText(245_000)}`, { timeout: 30_000 })
    await checkScreen(page, info, 'news-settled')
    await expect(page.getByRole('link', { name: 'ประกาศ', exact: true })).toBeVisible()
    await page.goto(SHORT_PAGE)
    await waitUntilThere(page)
    await expect(page.getByTestId('settled-news')).toBeHidden()
  })
})
