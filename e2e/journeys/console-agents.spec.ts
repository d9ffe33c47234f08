// Goal: an agent's log-in leads to the console, also to the page that was asked for; a list is worked with by keyboard, and
// its address shows the same to others. On an application of its own, which has agents that no other journey uses.

import { listProductPeriod, readBook, type Language } from '@megalot/contract'
import type { Page } from '@playwright/test'
import { readFile } from 'node:fs/promises'
import { startApp } from '../../scripts/run-app.mjs'
import { captchaAnswer, logInThroughApi } from '../api.ts'
import { checkScreen } from '../check-screen.ts'
import { expect, tagOf, test } from '../fixtures.ts'
import { LoginPage } from '../pages/login-page.ts'
import { openAs } from '../pages/session.ts'
import { Shell } from '../pages/shell.ts'

const words = {
  th: {
    first: 'งวดปัจจุบัน',
    people: 'สมาชิกและสายงาน',
    view: 'มุมมอง',
    close_at: 'ปิดรับ',
    view_name: 'ชื่อมุมมอง',
    save: 'บันทึก',
    close: 'ปิด',
    market: 'หวย',
    risk: 'ความเสี่ยง',
    half: 'จ่ายครึ่ง',
  },
  en: {
    first: 'Current periods',
    people: 'Members and line',
    view: 'View',
    close_at: 'Closes',
    view_name: 'Name of the view',
    save: 'Save',
    close: 'Close',
    market: 'Market',
    risk: 'Risk board',
    half: 'Half pay',
  },
} as const

const languages = ['th', 'en'] as const satisfies readonly Language[]

let app: Awaited<ReturnType<typeof startApp>>

test.beforeAll(async () => {
  app = await startApp({ CAPTCHA_TEST_ANSWER: captchaAnswer, DEMO_DAYS: '2' })
})
test.afterAll(() => app?.stop())

const rowsOf = (page: Page) => page.locator('[data-grid-row]')

for (const language of languages) {
  test(
    `an agent logs in and lands in the console, also at the page that was asked for (${language})`,
    { tag: tagOf(language, 'th-phone') },
    async ({ page, isPhone }, info) => {
      const { first, people } = words[language]
      const login = new LoginPage(page, language)
      const username = 'agent03'
      await page.emulateMedia({ colorScheme: language === 'th' ? 'light' : 'dark' })
      await page.goto(`${app.url}/auth/login`)
      await login.picture.waitFor()
      await login.chooseLanguage(language)
      await login.fill(username)
      await login.submit.click()
      await expect(page).toHaveURL(/\/console$/)
      await expect(page.getByRole('heading', { level: 1, name: first })).toBeAttached()
      await expect(rowsOf(page).first()).toBeVisible()
      await checkScreen(page, info, `console-periods-${language}`)

      const shell = new Shell(page, isPhone)
      await shell.logOff(language)
      await expect(page).toHaveURL(/\/auth\/login$/)
      // A former address is kept through the log-in, and leads to the page of today.
      await page.goto(`${app.url}/office/shares`)
      await expect(page).toHaveURL(/\/auth\/login\?back=/)
      await login.fill(username)
      await login.submit.click()
      await expect(page).toHaveURL(/\/console\/people$/)
      await expect(page.getByRole('heading', { level: 1, name: people })).toBeAttached()
      await expect(rowsOf(page).first()).toBeVisible()
      await checkScreen(page, info, `console-people-${language}`)
    },
  )
}

for (const language of languages) {
  test(
    `an agent sees the day of its own line, without what is the office’s (${language})`,
    { tag: tagOf(language, 'th-phone') },
    async ({ page }, info) => {
      const api = await logInThroughApi(app.url, language === 'th' ? 'agent02' : 'agent04', language)
      await openAs(page, api, language)
      await page.goto(`${app.url}/console/today?sort=tickets.desc`)
      const row = rowsOf(page).first()
      await expect(row).toBeVisible()
      await expect(row.getByRole('button')).toHaveCount(0)
      await checkScreen(page, info, `today-agent-${language}`)
      await page.goto(`${app.url}/console/calendar`)
      await expect(page.getByRole('table').locator('[data-status=open]').first()).toBeVisible()
      await checkScreen(page, info, `calendar-agent-${language}`)
    },
  )
}

test('a list is worked with by keyboard, and its address shows the same to others (en)', async ({ page }, info) => {
  const { view, close_at, view_name, save, close, market } = words.en
  const api = await logInThroughApi(app.url, 'master01', 'en')
  await openAs(page, api, 'en')
  await page.goto(`${app.url}/console`)
  const rows = rowsOf(page)
  await expect(rows.first()).toBeVisible()
  await rows.first().focus()
  await page.keyboard.press('End')
  await expect(rows.last()).toBeFocused()
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowDown')
  await expect(rows.nth(1)).toBeFocused()

  await page.getByRole('button', { name: view, exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('checkbox', { name: 'Draw' }).uncheck()
  await expect(page).toHaveURL(/columns=/)
  await dialog.getByLabel('Sort by').selectOption({ label: `${market}, descending` })
  await expect(page).toHaveURL(/sort=market\.desc/)
  await dialog.getByLabel(view_name).fill('By name')
  await dialog.getByRole('button', { name: save }).click()
  await expect(dialog.getByRole('button', { name: 'By name', exact: true })).toBeVisible()
  await checkScreen(page, info, 'console-view-en')
  await dialog.getByRole('button', { name: close }).click()
  const heads = page.getByRole('columnheader')
  await expect(heads.filter({ hasText: 'Draw' })).toHaveCount(0)
  await expect(heads.filter({ hasText: market })).toHaveAttribute('aria-sort', 'descending')

  // The columns are kept, and the view opens with its sort.
  await page.goto(`${app.url}/console`)
  await expect(rows.first()).toBeVisible()
  await expect(heads.filter({ hasText: 'Draw' })).toHaveCount(0)
  await page.getByRole('button', { name: view, exact: true }).click()
  await dialog.getByRole('button', { name: 'By name', exact: true }).click()
  await expect(page).toHaveURL(/sort=market\.desc/)
  await dialog.getByRole('button', { name: close }).click()

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'CSV' }).click()
  const text = await readFile(await (await download).path(), 'utf8')
  const lines = text.trimEnd().split('\r\n')
  expect(lines[0]).toBe(`\uFEFF${market},State,Period,${close_at}`)
  // Every row, although only those near the screen are drawn.
  expect(lines).toHaveLength(Number(await page.getByRole('grid').getAttribute('aria-rowcount')))
  const names = lines.slice(1).map((line) => line.split(',')[0] ?? '')
  expect(names).toEqual(names.toSorted((a, b) => b.localeCompare(a, 'en')))
  expect(await rows.first().locator('[data-row-name]').innerText()).toContain(names[0])

  await rows.first().focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/console\/markets\//)
})

for (const language of languages) {
  test(
    `an agent sees its own part of the risk board on a phone, and sets no numbers (${language})`,
    { tag: '@phone-only' },
    async ({ page }, info) => {
      const { risk, half } = words[language]
      const api = await logInThroughApi(app.url, 'agent01', language)
      const { products } = await api.call(listProductPeriod)
      // A ticket of its line waits for its member in one of the open periods.
      let address: string | null = null
      for (const { product_code, current_period } of products) {
        if (current_period === null) continue
        const { period_code } = current_period
        const { slots } = await api.call(readBook, { params: { period_code }, query: {} })
        if (slots.length > 0) address = `/console/risk?market=${product_code}&period=${period_code}`
      }
      if (address === null) throw new Error('the line of agent01 has no bet in an open period')
      await page.emulateMedia({ colorScheme: language === 'th' ? 'light' : 'dark' })
      await openAs(page, api, language)
      await page.goto(`${app.url}${address}`)
      await expect(page.getByRole('heading', { level: 1, name: risk })).toBeAttached()
      const cell = page.locator('[data-testid^="cell-"]').first()
      await expect(cell).toBeVisible()
      await checkScreen(page, info, `risk-board-agent-${language}`)
      await cell.click()
      const sheet = page.getByRole('dialog')
      await expect(sheet.getByTestId('fact-own_stake')).toHaveText(/\d/)
      await expect(sheet.getByText(half)).toHaveCount(0)
      await checkScreen(page, info, `risk-number-agent-${language}`)
      await page.goto(`${app.url}${address}&by=results&part=own`)
      await expect(page.getByTestId('figure-percentile')).toHaveText(/\d/)
      await checkScreen(page, info, `risk-results-agent-${language}`)
    },
  )
}
