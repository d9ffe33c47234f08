// Goal: every screen, in both languages, light and dark, on phone and desktop, has nothing axe objects to and fits the
// width. The pictures under e2e/output are for people to look at.

import type { Language } from '@megalot/contract'
import { checkScreen } from '../check-screen.ts'
import { expect, memberOf, test } from '../fixtures.ts'
import { betPageOf } from '../pages/bet-page.ts'
import { LoginPage } from '../pages/login-page.ts'
import { Shell } from '../pages/shell.ts'
import { mixedTicket } from '../draw-2025-12-16.ts'
import { waitUntilQuiet } from '../watch-requests.ts'

const languages: readonly Language[] = ['th', 'en']
const themes = ['light', 'dark'] as const

for (const language of languages) {
  for (const theme of themes) {
    test(`screens in ${language}, ${theme}`, async ({ page, isPhone }, info) => {
      await page.emulateMedia({ colorScheme: theme })
      const look = (name: string) => checkScreen(page, info, `${name}-${language}-${theme}`)

      const login = new LoginPage(page, language)
      await login.open()
      await login.chooseLanguage(language)
      await look('login')
      await login.submit.click()
      await expect(page.locator('[aria-invalid=true]').first()).toBeVisible()
      await look('login-problems')
      await login.fill(memberOf(info.project.name, 7))
      await login.submit.click()
      await expect(new Shell(page, isPhone).credit).toBeVisible()

      await expect(page.locator('a[href="/bet/thai-government"]').first()).toBeVisible()
      await look('lotto')

      const bet = betPageOf(page, isPhone, language)
      await bet.open('thai-government')
      await look('bet-empty')
      await bet.choosePackage('70')
      await bet.fillGrid(mixedTicket.slice(0, 8))
      await look('bet')

      for (const name of ['bills', 'reports', 'awards', 'manual', 'manual/import']) {
        await page.goto(`/${name}`)
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
        await waitUntilQuiet(page)
        await look(name.replace('/', '-'))
      }
      await page.goto('/error/404')
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await look('not-found')
    })
  }
}

test('a ticket and its answer', async ({ page, isPhone }, info) => {
  await new LoginPage(page).logIn(memberOf(info.project.name, 7))
  const bet = betPageOf(page, isPhone)
  await bet.open('thai-government')
  await bet.choosePackage('70')
  await bet.fillGrid(mixedTicket)
  await bet.submit.click()
  await expect(bet.orderId).toBeVisible()
  await checkScreen(page, info, 'bet-answer')
  const order_id = await bet.orderId.textContent()
  for (const [path, name] of [
    [`/bills/${order_id}`, 'ticket'],
    ['/bills', 'bills-with-ticket'],
    ['/reports', 'reports-with-ticket'],
  ] as const) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await waitUntilQuiet(page)
    await checkScreen(page, info, name)
  }
})

test('text tried in the import help is read while it is typed, and never sent', async ({ page }, info) => {
  await new LoginPage(page).logIn(memberOf(info.project.name, 7))
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
