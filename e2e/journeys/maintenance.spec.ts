// Goal: while the product is being mended a member is told so, in the office's words, and comes back by itself to where it
// was. On a product of its own: the others' journeys go on.

import { refusals, setMaintenance } from '@megalot/contract'
import { startProduct } from '../../scripts/run-product.mjs'
import { captchaAnswer, logInThroughApi } from '../api.ts'
import { checkScreen } from '../check-screen.ts'
import { expect, test } from '../fixtures.ts'
import { LoginPage } from '../pages/login-page.ts'

test('maintenance is shown to members, and ends by itself', async ({ browser }, info) => {
  const product = await startProduct({ CAPTCHA_TEST_ANSWER: captchaAnswer })
  const { viewport = null, isMobile = false, deviceScaleFactor = 1, hasTouch = false } = info.project.use
  const context = await browser.newContext({
    baseURL: product.url,
    viewport,
    isMobile,
    deviceScaleFactor,
    hasTouch,
    locale: 'th-TH',
  })
  try {
    const page = await context.newPage()
    const office = await logInThroughApi(product.url, 'office01')
    const set = (body: object) =>
      office.call(setMaintenance, { body: { is_on: true, reason: 'the journey wants it', ...body } })
    await new LoginPage(page).logIn('member01')
    await page.goto('/bills')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    const until_at = new Date(Date.now() + 3_600_000).toISOString()
    await set({ message_th: 'กำลังเปลี่ยนเครื่อง', message_en: 'Changing the machine', until_at })
    await expect(page).toHaveURL(/\/maintenance/)
    await expect(page.getByText('กำลังเปลี่ยนเครื่อง')).toBeVisible()
    await expect(page.getByText('คาดว่าเสร็จ')).toBeVisible()
    await checkScreen(page, info, 'maintenance')
    // A reload shows it again and logs nobody out.
    await page.goto('/bills')
    await expect(page.getByText('กำลังเปลี่ยนเครื่อง')).toBeVisible()
    await set({ is_on: false })
    await expect(page).toHaveURL(/\/bills$/, { timeout: 30_000 })
    await expect(page.getByTestId('credit-remain')).toBeVisible()

    await set({})
    await page.evaluate(() => localStorage.clear())
    const login = new LoginPage(page)
    await login.open()
    await login.fill('member02')
    await login.submit.click()
    await expect(page.getByText(refusals.maintenance.th)).toBeVisible()
  } finally {
    await context.close()
    await product.stop()
  }
})
