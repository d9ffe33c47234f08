// Goal: every screen, in both languages, light and dark, on phone and desktop, passes axe and fits the width.

import { APP_VERSION, type Language } from '@megalot/contract'
import type { Page, TestInfo } from '@playwright/test'
import { checkScreen, checkWidth, waitUntilThere } from '../check-screen.ts'
import { mixedTicket } from '../draw-2025-12-16.ts'
import { expect, memberOf, roundOf, test } from '../fixtures.ts'
import { betPageOf } from '../pages/bet-page.ts'
import { Input } from '../pages/input.ts'
import { LoginPage } from '../pages/login-page.ts'
import { openAs, signIn } from '../pages/session.ts'
import { Shell } from '../pages/shell.ts'

test.use({ checksConsole: true })

const slot = 7

/**
 * Checks a screen in all four combinations. Axe runs in Thai on light and in English on dark: so it covers both
 * languages and both colour schemes, which do not affect each other's checks.
 */
class ScreenChecker {
  private language: Language = 'th'
  private readonly page: Page
  private readonly info: TestInfo
  private readonly switchTo: (language: Language) => Promise<void>

  constructor(page: Page, info: TestInfo, switchTo: (language: Language) => Promise<void>) {
    this.page = page
    this.info = info
    this.switchTo = switchTo
  }

  async look(name: string): Promise<void> {
    await this.checkInOne(name)
    this.language = this.language === 'th' ? 'en' : 'th'
    await this.switchTo(this.language)
    await expect(this.page.locator('html')).toHaveAttribute('lang', this.language)
    await this.checkInOne(name)
  }

  private async checkInOne(name: string): Promise<void> {
    const checked = this.language === 'th' ? 'light' : 'dark'
    for (const theme of ['light', 'dark'] as const) {
      await this.page.emulateMedia({ colorScheme: theme })
      const checkAt = theme === checked ? checkScreen : checkWidth
      await checkAt(this.page, this.info, `${name}-${this.language}-${theme}`)
    }
  }
}

test('the log-in pages and the not-found page', async ({ page }, info) => {
  const login = new LoginPage(page)
  const checker = new ScreenChecker(page, info, (language) => login.chooseLanguage(language))
  // A machine without Thai fonts cannot show these screenshots properly.
  await page.addInitScript(() => localStorage.setItem('megalot.letters', 'true'))
  await login.open()
  await checker.look('login')
  await page.locator('button[type=submit]').click()
  await expect(page.locator('[aria-invalid=true]').first()).toBeVisible()
  await checker.look('login-problems')
  for (const name of ['register', 'forgot-password']) {
    await page.goto(`/auth/${name}`)
    await waitUntilThere(page)
    await checker.look(name)
  }

  const lost = new ScreenChecker(page, info, async (language) => {
    await page.evaluate((chosen) => localStorage.setItem('megalot.language', chosen), language)
    await page.reload()
  })
  await page.goto('/error/404')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await lost.look('not-found')
})

test('the markets and the bet page', async ({ page, url, isPhone, openShownPeriod }, info) => {
  await openShownPeriod('thai-government', roundOf(info.project.name, 2))
  await signIn(page, url, memberOf(info.project.name, slot))
  const shell = new Shell(page, isPhone)
  const checker = new ScreenChecker(page, info, (language) => shell.chooseLanguage(language))
  await page.goto('/')
  await expect(page.locator('a[href="/bet/thai-government"]').first()).toBeVisible()
  await checker.look('lotto')

  const bet = betPageOf(page, isPhone)
  await bet.open('thai-government')
  await bet.cell(0, 'number').waitFor()
  await checker.look('bet-empty')
  await bet.choosePackage('70')
  await bet.fillGrid(mixedTicket.slice(0, 8))
  await checker.look('bet')
})

test('every other page inside', async ({ page, url, isPhone }, info) => {
  await signIn(page, url, memberOf(info.project.name, slot))
  const shell = new Shell(page, isPhone)
  const checker = new ScreenChecker(page, info, (language) => shell.chooseLanguage(language))
  const inside = [
    'bills',
    'reports',
    'reports/summary',
    'awards',
    'awards/statistics',
    'manual',
    'manual/import',
    'announcements',
    'error/404',
    'account/limits',
    'account/data',
    'account/password',
  ]
  for (const name of inside) {
    await page.goto(`/${name}`)
    await waitUntilThere(page)
    await checker.look(name.replace('/', '-'))
  }
})

test('help leads to the manual, and the print area says what can be printed', async ({ page, url, isPhone }, info) => {
  await signIn(page, url, memberOf(info.project.name, slot))
  await page.goto('/help')
  await expect(page).toHaveURL(/\/manual$/)
  await expect(page.getByRole('heading', { name: 'วิธีแทง' })).toBeVisible()
  const checker = new ScreenChecker(page, info, async (language) => {
    await page.evaluate((chosen) => localStorage.setItem('megalot.language', chosen), language)
    await page.reload()
  })
  await page.goto('/print')
  await waitUntilThere(page)
  await checker.look('print')
  const links = page.getByRole('listitem').getByRole('link')
  await expect(links).toHaveCount(4)
  await new Input(page, isPhone).press(links.nth(2))
  await expect(page).toHaveURL(/\/reports\/balance/)
  // A missing page for paper says so.
  await page.goto('/print/anything')
  await expect(page).toHaveURL(/\/error\/404/)
})

test('the pages of the office', async ({ page, office, isPhone }, info) => {
  await openAs(page, office.apis[1])
  const shell = new Shell(page, isPhone)
  const checker = new ScreenChecker(page, info, (language) => shell.chooseLanguage(language))
  for (const name of ['office/awards', 'office/shares', 'reports/summary', 'bet/thai-government']) {
    await page.goto(`/${name}`)
    await waitUntilThere(page)
    await checker.look(name.replace('/', '-').replace(/reports|bet/, 'office-$&'))
  }
})

test('a ticket and its dialog', async ({ page, url, isPhone, openShownPeriod }, info) => {
  await openShownPeriod('thai-government', roundOf(info.project.name, 3))
  await signIn(page, url, memberOf(info.project.name, slot))
  const bet = betPageOf(page, isPhone)
  await bet.open('thai-government')
  await bet.choosePackage('70')
  await bet.fillGrid(mixedTicket)
  await bet.keepDuplicates()
  await bet.send()
  await expect(bet.orderId).toBeVisible()
  await checkScreen(page, info, 'bet-answer')
  const order_id = await bet.orderId.textContent()
  for (const [path, name] of [
    [`/bills/${order_id}`, 'ticket'],
    ['/bills', 'bills-with-ticket'],
    ['/reports/balance', 'reports-with-ticket'],
  ] as const) {
    await page.goto(path)
    await waitUntilThere(page)
    await checkScreen(page, info, name)
  }
})

test('text in the import help is parsed while it is typed, and never sent', async ({ page, url }, info) => {
  await signIn(page, url, memberOf(info.project.name, slot))
  const sent: string[] = []
  page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()))
  await page.goto('/manual')
  await page.locator('a[href="/manual/import"]').click()
  const box = page.getByTestId('import-try')
  const preview = page.getByTestId('import-preview')
  await box.fill('12=50*50\nx5=20*20\nสมชาย 7=10\nx12 10')
  await expect(preview).toContainText('อ่าน 4 บรรทัด')
  // 2 lines of 50 Baht, and 19 numbers twice for 20.
  await expect(preview).toContainText('ได้ 40 รายการ รวม 860 บาท')
  await expect(preview).toContainText('หลัง x ต้องเป็นเลข 1 หรือ 3 หลัก')
  await box.fill('123 100 50')
  await expect(preview.getByRole('listitem').filter({ hasText: '3 ตัวล่าง' })).toBeVisible()
  await page.locator('label:has(input[type=radio][value=roll])').click()
  await expect(preview.getByRole('listitem').filter({ hasText: '3 ตัวโต๊ด' })).toBeVisible()
  expect(sent).toEqual([])
})

test('the version is at the bottom of the panel and of the manual', async ({ page, url, isPhone }, info) => {
  await signIn(page, url, memberOf(info.project.name, slot))
  const shell = new Shell(page, isPhone)
  for (const [language, text] of [
    ['th', `รุ่น ${APP_VERSION}`],
    ['en', `Version ${APP_VERSION}`],
  ] as const) {
    await page.goto('/manual')
    await shell.chooseLanguage(language)
    await expect(page.getByRole('main').getByTestId('app-version')).toHaveText(text)
    if (isPhone) await page.getByRole('banner').getByRole('button').first().click()
    const panel = isPhone ? page.getByRole('dialog') : page.getByRole('complementary')
    await expect(panel.getByTestId('app-version')).toHaveText(text)
  }
  const link = page.getByRole('main').getByRole('link', { name: 'Licences' })
  const licences = await page.request.get(`${url}${await link.getAttribute('href')}`)
  expect(await licences.text()).toContain('\nreact-dom ')
})
