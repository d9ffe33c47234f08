// Goal: a ticket is found from one field by each thing that is known of it; new tickets appear by themselves; win and loss leads
// from the top of the line to one ticket.

import { readFile } from 'node:fs/promises'
import type { Language } from '@megalot/contract'
import type { Download, Locator, Page } from '@playwright/test'
import { checkScreen } from '../check-screen.ts'
import { expect, tagOf, test } from '../fixtures.ts'
import { anyRound, item, joinMember, placeTicket } from '../history.ts'
import { Input } from '../pages/input.ts'
import { newUsername } from '../pages/register-page.ts'
import { openAs } from '../pages/session.ts'
import { wordsOf } from '../pages/words.ts'

/** The agent of all members that journeys make. */
const demoAgent = 'agent01'

/** A file that takes longer than the page waits for is saved once it is ready. */
async function saveFile(page: Page, format: 'CSV' | 'XLSX', save: string): Promise<Download> {
  const download = page.waitForEvent('download')
  const ready = page.getByRole('status').getByRole('button', { name: save })
  await page.getByRole('button', { name: format, exact: true }).click()
  const isAwaited = await Promise.race([download.then(() => false), ready.waitFor().then(() => true)])
  if (isAwaited) await ready.click()
  return download
}

for (const language of ['th', 'en'] as const satisfies readonly Language[]) {
  test(
    `where is my ticket, and what became of it (${language})`,
    { tag: tagOf(language, 'th-phone') },
    async ({ page, url, office, isPhone }, info) => {
      const t = wordsOf(language)
      // The first of its agent's line: only rows near the screen are drawn.
      const member = await joinMember(url, office, `0${newUsername(info.project.name, `tk${language}`)}`)
      const period = await office.openPeriod(isPhone ? 'singapore' : 'china-pm', anyRound())
      const first = await placeTicket(member, period, [item('2top', '12', 10)])
      await openAs(page, office.apis[0], language)
      await page.goto('/console/tickets')
      const rows = page.locator('[data-grid-row]')
      const rowOf = (order_id: number) => rows.filter({ hasText: `#${order_id}` })
      const field = page.getByRole('searchbox', { name: t('tickets.search') })
      const input = new Input(page, isPhone)
      // By its number, its member, its period.
      for (const text of [`#${first.order_id}`, String(first.order_id), first.username, period.period_code]) {
        // Each text finds the same row, which stays on the page until the next answer.
        await field.fill('no such ticket')
        await expect(rows).toHaveCount(0)
        await field.fill(text)
        await expect(rows).toHaveCount(1)
        await expect(rowOf(first.order_id)).toBeVisible()
      }
      await field.fill(first.username)
      await expect(page).toHaveURL(new RegExp(`search=${first.username}`))
      // A new one appears by itself, and the amount distinguishes them.
      const second = await placeTicket(member, period, [item('2top', '34', 50)])
      await expect(rowOf(second.order_id)).toBeVisible()
      await checkScreen(page, info, `tickets-found-${language}`)
      if (isPhone) await page.getByText(t('tickets.filter.more')).click()
      await page.getByRole('searchbox', { name: t('tickets.filter.bet_from') }).fill('50')
      await expect(rows).toHaveCount(1)
      await expect(rowOf(second.order_id)).toBeVisible()
      await page.getByRole('button', { name: t('tickets.filter.clear') }).click()
      await expect(field).toHaveValue('')
      // Bookmarks of the former lists find the same tickets.
      const about = `username=${first.username}&product_code=${period.product_code}`
      await page.goto(`/console/bills?${about}&status=CONFIRMED`)
      // The open filters leave a phone no room for the rows.
      if (isPhone) await page.getByText(t('tickets.filter.more')).click()
      await expect(rows).toHaveCount(2)
      await expect(page).toHaveURL(/\/console\/tickets\?.*state=CONFIRMED/)
      await page.goto(`/console/bills/deleted?${about}`)
      await expect(page.getByTestId('empty-note')).toBeVisible()
      await expect(page).toHaveURL(/\/console\/tickets\?.*state=DELETED/)

      await office.closePeriod(period.period_code)
      await office.settle(period, { top3: '112', bottom2: '99' })
      await page.goto('/console/downline')
      await expect(page.getByRole('heading', { level: 1, name: t('downline.title') })).toBeVisible()
      await checkScreen(page, info, `line-tree-${language}`)
      // From the top of the line to one ticket, among those of the market.
      await page.goto(`/console/downline?product_code=${period.product_code}`)
      if (isPhone) {
        await expect(rows.first()).toBeAttached()
        // Below the figures of the line.
        await page.evaluate(() => scrollTo(0, 400))
        expect(await isRowHitWhileScrolling(rows.first()), 'a tap right after a scroll hits its row').toBe(true)
      }
      for (const name of [demoAgent, first.username]) {
        await input.press(rows.filter({ hasText: name }))
        await expect(page.getByRole('navigation', { name: t('downline.path') }).getByText(name)).toBeVisible()
      }
      await expect(rows.filter({ hasText: '700.00' })).toHaveCount(1)
      await checkScreen(page, info, `line-member-${language}`)
      await input.press(rows.filter({ hasText: '700.00' }))
      // The market, the day and the round.
      await expect(page.getByRole('navigation', { name: t('downline.path') }).getByText(' · ')).toBeVisible()
      await input.press(rowOf(first.order_id))
      await expect(page).toHaveURL(new RegExp(`/bills/${first.order_id}$`))
      await page.goto('/console/downline')
      for (const report of ['outstanding', 'types', 'winners', 'changed', 'close'] as const) {
        await page.getByRole('radio', { name: t(`downline.report.${report}`), exact: true }).check()
        await expect(page).toHaveURL(new RegExp(`report=${report}`))
        await expect(page.getByTestId('skeleton')).toHaveCount(0)
        await checkScreen(page, info, `line-${report}-${language}`)
      }
      await page.goto('/console/downline?report=winners')
      await expect(rowOf(first.order_id)).toBeVisible()
      // Saved for spreadsheets, and listed to be saved again.
      const file = await saveFile(page, 'CSV', t('downline.files.save'))
      expect(file.suggestedFilename()).toMatch(/^winners-[\w-]+\.csv$/)
      const text = await readFile(await file.path(), 'utf8')
      expect(text).toContain(`${t('downline.win')} (${language === 'th' ? 'บาท' : 'Baht'})`)
      expect(text).toContain(String(first.order_id))
      const workbook = await saveFile(page, 'XLSX', t('downline.files.save'))
      expect((await readFile(await workbook.path())).subarray(0, 2).toString()).toBe('PK')
      await page.getByText(t('downline.files.title', { count: 0 }).split(' (', 1)[0]!).click()
      await expect(page.getByText(file.suggestedFilename()).first()).toBeVisible()
      await checkScreen(page, info, `line-files-${language}`)
      // A file that takes longer is written in the background: every page says how far it is, and that it is ready.
      const goOn = await office.holdReportFiles()
      await page.getByRole('button', { name: 'CSV', exact: true }).click()
      const awaited = page.getByRole('status').filter({ hasText: file.suggestedFilename() })
      await expect(awaited).toContainText(t('downline.files.rows', { done: 0 }).split(/[:0]/, 1)[0]!)
      await checkScreen(page, info, `line-file-awaited-${language}`)
      await page.getByRole('radio', { name: t('downline.report.close'), exact: true }).check()
      await goOn()
      await expect(awaited).toContainText(t('downline.files.state.ready'))
      await checkScreen(page, info, `line-file-ready-${language}`)
      const later = page.waitForEvent('download')
      await awaited.getByRole('button', { name: t('downline.files.save') }).click()
      expect(await readFile(await (await later).path(), 'utf8')).toContain(String(first.order_id))
      await expect(awaited).toBeHidden()
      await page.goto('/console/downline?report=winners')
      // On paper. The dialog of the browser is its own.
      await page.evaluate(() => Object.assign(window, { print: () => {} }))
      await page.getByRole('button', { name: t('downline.files.print') }).click()
      await expect(page.getByRole('heading', { level: 1, name: t('downline.report.winners') })).toBeVisible()
      await expect(page.getByRole('cell', { name: `#${first.order_id}` })).toBeVisible()
      await page.goBack()
      await rowOf(first.order_id).getByRole('link').click()
      await expect(page).toHaveURL(new RegExp(`/bills/${first.order_id}$`))
    },
  )
}

/** Whether a row can be hit in the first frames after the page was scrolled, as by a tap that follows at once. */
function isRowHitWhileScrolling(row: Locator): Promise<boolean> {
  return row.evaluate(async (element) => {
    const isScrolled = new Promise((resolve) => addEventListener('scroll', resolve, { once: true }))
    scrollBy(0, 20)
    await isScrolled
    for (let frame = 0; frame < 2; frame += 1) await new Promise((resolve) => requestAnimationFrame(resolve))
    const { left, top, width } = element.getBoundingClientRect()
    return element.contains(document.elementFromPoint(left + width / 2, top + 10))
  })
}
