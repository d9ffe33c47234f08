// Goal: whoever watches finds what is out of the ordinary, sees the figures and the rule behind it, and goes on from there to
// the tickets.

import { type Language, refusals } from '@megalot/contract'
import { checkScreen } from '../check-screen.ts'
import { expect, tagOf, test } from '../fixtures.ts'
import { anyRound, item, joinMember, placeTicket } from '../history.ts'
import { newUsername } from '../pages/register-page.ts'
import { openAs } from '../pages/session.ts'
import { wordsOf } from '../pages/words.ts'

for (const language of ['th', 'en'] as const satisfies readonly Language[]) {
  test(
    `stakes in the last minute are found, explained and followed to their tickets (${language})`,
    { tag: tagOf(language, 'th-phone') },
    async ({ page, url, office }, info) => {
      const t = wordsOf(language)
      const username = newUsername(info.project.name, `sg${language}`)
      const member = await joinMember(url, office, username)
      const period = await office.openPeriod('hanoi', anyRound())
      // More than other journeys stake: the row is the first of its kind.
      const order = await placeTicket(member, period, [item('2top', '12', 9_000), item('2top', '34', 9_500)])
      await office.closePeriod(period.period_code)

      await openAs(page, office.apis[0], language)
      await page.emulateMedia({ colorScheme: language === 'th' ? 'light' : 'dark' })
      await page.goto(`/console/signals?date_from=${period.period_date}&date_to=${period.period_date}`)
      await expect(page.getByRole('heading', { level: 1, name: t('console.screen.signals') })).toBeAttached()
      const rows = page.locator('[data-grid-row]')
      await page.getByLabel(t('signals.filter.kind'), { exact: true }).selectOption('late_stakes')
      await expect(page).toHaveURL(/kind=late_stakes/)
      const row = rows.filter({ hasText: username })
      await expect(row).toContainText(t('signals.kind.late_stakes'))
      await expect(row).toContainText('18,500')
      await checkScreen(page, info, `signals-${language}`)

      await row.click()
      const sheet = page.getByRole('dialog', { name: t('signals.kind.late_stakes') })
      await expect(sheet.getByText(t('signals.fact.late_satang'))).toBeVisible()
      await expect(sheet).toContainText(
        language === 'th'
          ? /60 วินาทีสุดท้ายก่อนปิดรับรวมตั้งแต่ 1,000 บาท/
          : /In the last 60 seconds before the close a member stakes 1,000 Baht or more/,
      )
      await expect(page).toHaveURL(/row=late_stakes/)
      await checkScreen(page, info, `signal-${language}`, 'dialog[open]')
      await sheet.getByRole('link', { name: t('signals.open.tickets_of', { username }) }).click()
      await expect(page).toHaveURL(new RegExp(`/console/tickets\\?.*username=${username}`))
      // Only rows near the screen are drawn, and what waits for a second person in other journeys stands above them.
      await page.setViewportSize({ ...page.viewportSize()!, height: 4_000 })
      await expect(rows.filter({ hasText: `#${order.order_id}` })).toBeVisible()
    },
  )

  test(
    `days without signals say what was looked for, and too many are refused (${language})`,
    { tag: tagOf(language, 'th-phone') },
    async ({ page, office }, info) => {
      const t = wordsOf(language)
      await openAs(page, office.apis[0], language)
      await page.goto('/console/signals?date_from=2001-01-01&date_to=2001-01-31')
      const main = page.getByRole('main')
      await expect(main.getByText(t('signals.none'))).toBeVisible()
      await expect(main.getByText(t('signals.kind.late_stakes')).last()).toBeVisible()
      await checkScreen(page, info, `signals-none-${language}`)
      await page.getByLabel(t('signals.filter.to'), { exact: true }).fill('2001-02-01')
      await expect(page.getByRole('alert')).toContainText(refusals.signal_span_too_long[language])
      await page.getByLabel(t('signals.filter.from'), { exact: true }).fill('2001-01-02')
      await expect(main.getByText(t('signals.none'))).toBeVisible()
    },
  )
}
