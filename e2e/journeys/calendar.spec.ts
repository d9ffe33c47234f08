// Goal: the office sees in the calendar which day has which periods, sets a holiday, proposes another timetable that a second
// person approves with what it changes before the eyes, and proposes a period beside the timetable.

import { listWaitingDecisions } from '@megalot/contract'
import type { Page } from '@playwright/test'
import { checkScreen } from '../check-screen.ts'
import { desktopLanguage, expect, test } from '../fixtures.ts'
import { focusRow } from '../pages/rows.ts'
import { openAs } from '../pages/session.ts'
import { wordsOf } from '../pages/words.ts'

/** Markets of these journeys alone, one for each language: they run at the same time. */
const markets = { th: { code: 'uk', name: 'อังกฤษ' }, en: { code: 'thai-evening', name: 'Thai stock evening' } } as const

/** The market whose timetable is refused, in both languages. */
const refusedMarket = { code: 'hanoi-special', th: 'ฮานอยพิเศษ', en: 'Hanoi special' } as const

/** A day of the next week from Tuesday to Thursday, when these markets have a period that has not opened. */
function nextWorkday(): string {
  for (let days = 2; ; days++) {
    const day = new Date(Date.now() + (days * 24 + 7) * 3_600_000)
    if ([2, 3, 4].includes(day.getUTCDay())) return day.toISOString().slice(0, 10)
  }
}

const reasonOf = (page: Page, form: string, label: string) =>
  page.getByRole('form', { name: form, exact: true }).getByLabel(label, { exact: true })

const language = desktopLanguage('en')
const t = wordsOf(language)
const market = markets[language]

test(`a holiday of a market (${language})`, { tag: '@desktop-only' }, async ({ page, office }, info) => {
  await openAs(page, office.apis[0], language)
  await page.goto('/console/calendar')
  const row = page.getByRole('row').filter({ hasText: market.name })
  await expect(row).toBeVisible()
  await checkScreen(page, info, `calendar-${language}`)
  await page.getByRole('button', { name: t('calendar.holidays.title'), exact: true }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByLabel(t('calendar.holidays.day'), { exact: true }).fill(nextWorkday())
  await sheet.getByLabel(t('calendar.holidays.name'), { exact: true }).fill('Bank holiday')
  await sheet.getByRole('checkbox', { name: market.name, exact: true }).check()
  await reasonOf(page, t('calendar.holidays.add'), t('common.reason.label')).fill('the exchange is closed')
  await checkScreen(page, info, `calendar-holiday-${language}`)
  await sheet.getByRole('button', { name: t('calendar.holidays.add'), exact: true }).click()
  const changes = sheet.getByTestId('period-changes')
  await expect(changes).toContainText(t('calendar.period_changes.removed', { count: 1 }))
  const line = sheet.getByRole('listitem').filter({ hasText: 'Bank holiday' }).filter({ hasText: market.name })
  await line.getByText(t('calendar.holidays.remove')).first().click()
  await line.getByLabel(t('common.reason.label')).fill('it is open after all')
  await line.getByRole('button', { name: t('calendar.holidays.remove') }).click()
  await expect(changes).toContainText(t('calendar.period_changes.made', { count: 1 }))
  await expect(line).toBeHidden()
})

test(`another timetable, by two people (${language})`, { tag: '@desktop-only' }, async ({ page, office }, info) => {
  const [first, second] = office.apis
  await openAs(page, first, language)
  await page.goto('/console/calendar')
  const row = page.getByRole('row').filter({ hasText: market.name })
  await row.getByRole('button', { name: t('calendar.settings') }).click()
  await page.getByText(t('calendar.timetable.change'), { exact: true }).click()
  const form = page.getByRole('form', { name: t('calendar.timetable.change'), exact: true })
  await form.getByLabel(t('calendar.timetable.close'), { exact: true }).fill('15:35')
  await form.getByLabel(t('calendar.timetable.draw'), { exact: true }).fill('16:45')
  await expect(form.getByTestId('period-changes')).toBeVisible()
  await form.getByLabel(t('common.reason.label')).fill('winter time')
  await checkScreen(page, info, `calendar-timetable-${language}`)
  await form.getByRole('button', { name: t('calendar.timetable.propose') }).click()
  await expect(form).toBeHidden()

  await openAs(page, second, language)
  await page.goto('/console/approvals')
  const waiting = page
    .locator('[data-grid-row]')
    .filter({ hasText: t('audit.kind.change_timetable') })
    .filter({ hasText: market.name })
  await focusRow(waiting)
  await page.keyboard.press('a')
  const sheet = page.getByRole('dialog')
  await expect(sheet.getByTestId('period-changes')).toBeVisible()
  await expect(sheet).toContainText('15:35')
  await checkScreen(page, info, `approve-timetable-${language}`)
  await sheet.getByRole('button', { name: t('approvals.verdict.approve'), exact: true }).click()
  // The toast stays for three seconds, which a slow machine may take between two looks.
  await expect(sheet).toBeHidden()
  await expect(waiting).toBeHidden()
})

test(
  `another timetable, after whose draw an open period would close (${language})`,
  { tag: '@desktop-only' },
  async ({ page, office }, info) => {
    const period_code = await office.openDayAhead(refusedMarket.code, nextWorkday())
    await openAs(page, office.apis[0], language)
    await page.goto('/console/calendar')
    const row = page.getByRole('row').filter({ hasText: refusedMarket[language] })
    await row.getByRole('button', { name: t('calendar.settings') }).click()
    await page.getByText(t('calendar.timetable.change'), { exact: true }).click()
    const form = page.getByRole('form', { name: t('calendar.timetable.change'), exact: true })
    await form.getByLabel(t('calendar.timetable.close'), { exact: true }).fill('10:00')
    await form.getByLabel(t('calendar.timetable.draw'), { exact: true }).fill('10:30')
    await expect(form.getByRole('status')).toContainText(period_code)
    await form.getByLabel(t('common.reason.label')).fill('winter time')
    await form.getByRole('button', { name: t('calendar.timetable.propose') }).click()
    await expect(form.getByRole('alert')).toContainText(period_code)
    await checkScreen(page, info, `calendar-timetable-refused-${language}`)
  },
)

test(`a period beside the timetable (${language})`, { tag: '@desktop-only' }, async ({ page, office }, info) => {
  await openAs(page, office.apis[0], language)
  await page.goto('/console/today')
  await page.getByRole('button', { name: t('day.new_period.title') }).click()
  const sheet = page.getByRole('dialog')
  await sheet.getByLabel(t('day.new_period.market'), { exact: true }).selectOption('yeekee')
  await sheet.getByLabel(t('day.new_period.round'), { exact: true }).fill(language === 'th' ? '901' : '902')
  const today = new Date(Date.now() + 7 * 3_600_000).toISOString().slice(0, 10)
  const tomorrow = new Date(Date.now() + 31 * 3_600_000).toISOString().slice(0, 10)
  await sheet.getByLabel(t('calendar.holidays.day')).first().fill(today)
  await sheet.getByLabel(t('calendar.timetable.close'), { exact: true }).fill(`${tomorrow}T00:10`)
  await sheet.getByLabel(t('calendar.timetable.draw'), { exact: true }).fill(`${tomorrow}T00:20`)
  await sheet.getByLabel(t('common.reason.label')).fill('a special round')
  await checkScreen(page, info, `today-new-period-${language}`)
  await sheet.getByRole('button', { name: t('calendar.timetable.propose') }).click()
  await expect(sheet).toBeHidden()
  const waiting = await office.apis[1].call(listWaitingDecisions, { query: { kind: 'create_period' } })
  expect(waiting.map(({ approval }) => approval?.subject)).toContain(
    `period:yeekee-${today.replaceAll('-', '')}-${language === 'th' ? 901 : 902}`,
  )
})
