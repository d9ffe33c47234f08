// Goal: who does not bet works in the console: the log-in leads there, every page is reached by keyboard, Ctrl-K finds what
// is looked for, lists are worked with by keyboard and kept in the address, and members are sent back kindly.

import type { Language } from '@megalot/contract'
import type { Page } from '@playwright/test'
import { readFile } from 'node:fs/promises'
import { captchaAnswer, demoPassword, logInThroughApi } from '../api.ts'
import { checkScreen } from '../check-screen.ts'
import { expect, tagOf, test } from '../fixtures.ts'
import { joinMember } from '../history.ts'
import { LoginPage } from '../pages/login-page.ts'
import { newUsername } from '../pages/register-page.ts'
import { openAs } from '../pages/session.ts'
import { Shell } from '../pages/shell.ts'

const words = {
  th: {
    first: 'งวดปัจจุบัน',
    people: 'สมาชิกและสายงาน',
    search_user: 'ค้นหาชื่อผู้ใช้',
    palette: 'พิมพ์ชื่อผู้ใช้ เลขที่บิล หวย หรือชื่อหน้า',
    reports: 'รายงาน',
    member: 'ส่วนนี้สำหรับเอเยนต์และเจ้าหน้าที่',
    to_member: 'ไปหน้าสมาชิก',
    view: 'มุมมอง',
    close_at: 'ปิดรับ',
    view_name: 'ชื่อมุมมอง',
    save: 'บันทึก',
    close: 'ปิด',
    skip: 'ข้ามไปเนื้อหา',
    market: 'หวย',
  },
  en: {
    first: 'Current periods',
    people: 'Members and line',
    search_user: 'Search a username',
    palette: 'A username, ticket number, market or page',
    reports: 'Reports',
    member: 'This part is for agents and the office',
    to_member: 'Go to the member application',
    view: 'View',
    close_at: 'Closes',
    view_name: 'Name of the view',
    save: 'Save',
    close: 'Close',
    skip: 'Skip to content',
    market: 'Market',
  },
} as const

const languages = ['th', 'en'] as const satisfies readonly Language[]

/** Agents of these journeys alone: a user has one session. */
const agentOf = (isPhone: boolean): string => (isPhone ? 'agent03' : 'agent04')

const rowsOf = (page: Page) => page.locator('[data-grid-row]')

for (const language of languages) {
  test(
    `an agent logs in and lands in the console, also at the page that was asked for (${language})`,
    { tag: tagOf(language, 'th-phone') },
    async ({ page, isPhone }, info) => {
      const { first, people } = words[language]
      const login = new LoginPage(page, language)
      const username = agentOf(isPhone)
      await page.emulateMedia({ colorScheme: language === 'th' ? 'light' : 'dark' })
      await login.open()
      await login.chooseLanguage(language)
      await login.fill(username, { password: demoPassword, captcha: captchaAnswer })
      await login.submit.click()
      await expect(page).toHaveURL(/\/console$/)
      await expect(page.getByRole('heading', { level: 1, name: first })).toBeAttached()
      await expect(rowsOf(page).first()).toBeVisible()
      await checkScreen(page, info, `console-periods-${language}`)

      const shell = new Shell(page, isPhone)
      await shell.logOff(language)
      await expect(page).toHaveURL(/\/auth\/login$/)
      // A former address is kept through the log-in, and leads to the page of today.
      await page.goto('/office/shares')
      await expect(page).toHaveURL(/\/auth\/login\?back=/)
      await login.fill(username, { password: demoPassword, captcha: captchaAnswer })
      await login.submit.click()
      await expect(page).toHaveURL(/\/console\/people$/)
      await expect(page.getByRole('heading', { level: 1, name: people })).toBeAttached()
      await expect(rowsOf(page).first()).toBeVisible()
      await checkScreen(page, info, `console-people-${language}`)
    },
  )

  test(
    `Ctrl-K finds a member and a page (${language})`,
    { tag: tagOf(language, 'th-desktop') },
    async ({ page, url, office }, info) => {
      const { palette, reports } = words[language]
      const member = newUsername(info.project.name, 'pal')
      await joinMember(url, office, member)
      await openAs(page, office.apis[0], language)
      await page.goto('/console')
      await expect(rowsOf(page).first()).toBeVisible()
      const field = page.getByRole('combobox', { name: palette })
      await page.keyboard.press('Control+k')
      await expect(field).toBeFocused()
      await page.keyboard.type(member)
      await expect(page.getByRole('option', { name: member })).toHaveAttribute('aria-selected', 'true')
      await checkScreen(page, info, `console-palette-${language}`)
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(new RegExp(`/console/people\\?.*user=${member}`))
      await expect(page.getByRole('dialog').getByRole('heading', { name: member })).toBeVisible()
      await checkScreen(page, info, `console-person-${language}`)
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toBeHidden()

      await page.keyboard.press('Control+k')
      await page.keyboard.type(reports)
      await expect(page.getByRole('option')).toHaveCount(1)
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(/\/console\/reports$/)
    },
  )

  test(
    `a member is sent back kindly (${language})`,
    { tag: tagOf(language, 'th-phone') },
    async ({ page, url, office }, info) => {
      const { member, to_member } = words[language]
      await openAs(page, await joinMember(url, office, newUsername(info.project.name, 'nob')), language)
      for (const path of ['/console', '/console/people', '/office/maintenance']) {
        await page.goto(path)
        await expect(page.getByRole('heading', { level: 1, name: member })).toBeVisible()
      }
      await checkScreen(page, info, `console-members-${language}`)
      await page.getByRole('link', { name: to_member }).click()
      await expect(page).toHaveURL(/\/$/)
      await expect(page.getByTestId('credit-remain')).toBeVisible()
    },
  )
}

test('the office reaches each page by keyboard (th)', { tag: '@desktop-only' }, async ({ page, office }) => {
  await openAs(page, office.apis[1])
  await page.goto('/console')
  const links = page.getByRole('navigation').getByRole('link')
  await expect(links.first()).toBeVisible()
  const count = await links.count()
  expect(count).toBe(11)
  for (let at = 0; at < count; at += 1) {
    const link = links.nth(at)
    await link.focus()
    await page.keyboard.press('Enter')
    await expect(link).toHaveAttribute('aria-current', 'page')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    // The way from the top of the page to its content is one key.
    await page.getByRole('link', { name: words.th.skip }).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('main')).toBeFocused()
  }
})

test('a list is worked with by keyboard, and its address shows the same to others (en)', async ({
  page,
  url,
  isPhone,
}, info) => {
  const { view, close_at, view_name, save, close, market } = words.en
  const api = await logInThroughApi(url, isPhone ? 'master01' : 'master02', 'en')
  await openAs(page, api, 'en')
  await page.goto('/console')
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
  const names = await rows.locator('[data-row-name]').allInnerTexts()
  expect(names).toEqual(names.toSorted((a, b) => b.localeCompare(a, 'en')))

  // The columns are kept, and the view opens with its sort.
  await page.goto('/console')
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
  expect(lines).toHaveLength(names.length + 1)

  await rows.first().focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/console\/markets\//)
})
