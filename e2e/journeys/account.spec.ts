// Goal: somebody comes to an account, keeps it, gets it back, and limits what it may spend; each member here is made here.

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { placeOrder, refusals } from '@megalot/contract'
import { Api, demoPassword } from '../api.ts'
import { checkScreen } from '../check-screen.ts'
import { expect, roundOf, test } from '../fixtures.ts'
import { LoginPage } from '../pages/login-page.ts'
import { newcomer, RegisterPage } from '../pages/register-page.ts'
import { readSessionId } from '../pages/session.ts'

test('a newcomer registers, is in, and changes the password', async ({ page, isPhone }, info) => {
  const username = newcomer(info.project.name, 'reg')
  const register = new RegisterPage(page)
  await new LoginPage(page).open()
  await page.getByRole('link', { name: 'สมัครสมาชิก' }).click()
  await page.getByTestId('captcha-image').waitFor()
  await register.submit.click()
  await expect(page.locator('[aria-invalid=true]').first()).toBeFocused()
  await checkScreen(page, info, 'register-problems')
  await register.fill('member01', 'first1234')
  await register.submit.click()
  await expect(page.getByText(refusals.username_taken.th)).toBeVisible()
  await register.fill(username, 'first1234')
  await register.submit.click()
  await expect(page.getByTestId('credit-remain')).toHaveText('0.00')

  if (isPhone) await page.getByRole('button', { name: 'เปิดข้อมูลสมาชิก' }).click()
  await page.getByRole('link', { name: 'เปลี่ยนรหัสผ่าน' }).filter({ visible: true }).click()
  await expect(page).toHaveURL(/\/account\/password$/)
  const fill = async (old_password: string, confirm: string): Promise<void> => {
    await page.getByLabel('รหัสผ่านเดิม', { exact: true }).fill(old_password)
    await page.getByLabel('รหัสผ่านใหม่', { exact: true }).fill('second1234')
    await page.getByLabel('ยืนยันรหัสผ่านใหม่', { exact: true }).fill(confirm)
    await page.getByRole('button', { name: 'บันทึกรหัสผ่าน' }).click()
  }
  await fill('first1234', 'other1234')
  await expect(page.getByText('รหัสผ่านไม่ตรงกัน')).toBeVisible()
  await fill('wrong1234', 'second1234')
  await expect(page.getByText(refusals.wrong_old_password.th)).toBeVisible()
  await checkScreen(page, info, 'change-password')
  await fill('first1234', 'second1234')
  await expect(page).toHaveURL(/\/auth\/login/)
  await expect(page.getByText('เปลี่ยนรหัสผ่านแล้ว')).toBeVisible()
  await new LoginPage(page).fill(username, { password: 'second1234' })
  await new LoginPage(page).submit.click()
  await expect(page.getByTestId('credit-remain')).toBeVisible()
})

test('a forgotten password comes back by the link in the mail', async ({ page, outbox }, info) => {
  const username = newcomer(info.project.name, 'for')
  await new RegisterPage(page).register(username, 'first1234')
  await page.evaluate(() => localStorage.clear())
  await new LoginPage(page).open()
  await page.getByRole('link', { name: 'ลืมรหัสผ่าน' }).click()
  await page.getByLabel('อีเมล').fill(`${username}@example.com`)
  await checkScreen(page, info, 'forgot-password')
  await page.getByRole('button', { name: 'ส่งลิงก์' }).click()
  await expect(page.getByText('ถ้าอีเมลนี้มีบัญชีอยู่')).toBeVisible()

  const link = await findLink(outbox, `${username}@example.com`)
  await page.goto(link)
  await expect(page).toHaveURL(/\/auth\/reset-password$/)
  await page.getByLabel('รหัสผ่านใหม่', { exact: true }).fill('second1234')
  await page.getByLabel('ยืนยันรหัสผ่านใหม่', { exact: true }).fill('second1234')
  await checkScreen(page, info, 'reset-password')
  await page.getByRole('button', { name: 'บันทึกรหัสผ่าน' }).click()
  await expect(page.getByText('ตั้งรหัสผ่านใหม่แล้ว')).toBeVisible()
  await page.getByRole('link', { name: 'กลับไปเข้าสู่ระบบ' }).click()
  await new LoginPage(page).fill(username, { password: 'second1234' })
  await new LoginPage(page).submit.click()
  await expect(page.getByTestId('credit-remain')).toBeVisible()
})

/** The link in the mail to an address, once it is there. */
async function findLink(outbox: string, email: string): Promise<string> {
  for (;;) {
    for (const file of await readdir(outbox).catch(() => [])) {
      const mail = await readFile(join(outbox, file), 'utf8')
      const link = /^http\S+#token=\S+$/m.exec(mail)?.[0]
      if (mail.startsWith(`To: ${email}\n`) && link !== undefined) return link
    }
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

test('who cannot see the picture lets the device work, and is in', async ({ page }, info) => {
  const username = newcomer(info.project.name, 'see')
  await new RegisterPage(page).register(username, demoPassword)
  await page.evaluate(() => localStorage.clear())
  const login = new LoginPage(page)
  await login.open()
  await login.username.fill(username)
  await login.password.fill(demoPassword)
  await page.getByRole('button', { name: 'มองไม่เห็นภาพ ให้เครื่องนี้พิสูจน์แทน' }).click()
  await expect(page.getByText('พิสูจน์แล้ว')).toBeVisible()
  await checkScreen(page, info, 'login-proven')
  await login.submit.click()
  await expect(page.getByTestId('credit-remain')).toBeVisible()
})

test('after many wrong tries the device works its way in by itself', async ({ page, context }, info) => {
  const username = newcomer(info.project.name, 'hold')
  await new RegisterPage(page).register(username, demoPassword)
  await page.evaluate(() => localStorage.clear())
  // Another browser: this one would be known.
  await context.clearCookies()
  const login = new LoginPage(page)
  await login.open()
  for (let each = 0; each < 5; each += 1) {
    await login.fill(username, { password: `wrong${each}` })
    await login.submit.click()
    await expect(page.getByText(refusals.wrong_login.th)).toBeVisible()
    await login.picture.waitFor()
  }
  await login.fill(username)
  await login.submit.click()
  await expect(page.getByTestId('credit-remain')).toBeVisible({ timeout: 60_000 })
})

test('an announcement is unread until it is read', async ({ page, office }, info) => {
  const title_th = `ประกาศ ${newcomer(info.project.name, 'a')}`
  const announcement = await office.announce({
    type: 'important',
    title_th,
    title_en: title_th,
    body_th: 'ปิดรับเร็วขึ้น\nวันที่ 1',
    body_en: 'Closes early',
    is_enabled: true,
  })
  try {
    await new RegisterPage(page).register(newcomer(info.project.name, 'ann'), demoPassword)
    await expect(page.getByRole('link', { name: title_th }).filter({ visible: true })).toBeVisible()
    await page.getByRole('link', { name: /^ประกาศ ยังไม่ได้อ่าน \d+$/ }).click()
    const card = page.getByRole('listitem').filter({ hasText: title_th })
    await expect(card.getByText('ยังไม่ได้อ่าน')).toBeVisible()
    await card.getByRole('button').click()
    await expect(card.getByText('วันที่ 1')).toBeVisible()
    await expect(card.getByText('ยังไม่ได้อ่าน')).toBeHidden()
    await checkScreen(page, info, 'announcements')
  } finally {
    await office.withdraw(announcement)
  }
})

test('a member limits itself, and the limit holds', async ({ page, url, office }, info) => {
  const username = newcomer(info.project.name, 'lim')
  await new RegisterPage(page).register(username, demoPassword)
  await office.setCredit(username, 100_000)
  const { period_code } = await office.openPeriod('lao-pattana', roundOf(info.project.name, 9))
  await page.goto('/account/limits')
  const limit = page.getByRole('region', { name: 'ยอดแทงต่อวัน' })
  await limit.getByLabel('วงเงินใหม่ (บาท)').fill('ยี่สิบ')
  await limit.getByRole('button', { name: 'ตั้งวงเงิน' }).click()
  await expect(limit.getByText('กรอกเป็นบาทเต็มจำนวน')).toBeVisible()
  await limit.getByLabel('วงเงินใหม่ (บาท)').fill('10')
  await limit.getByRole('button', { name: 'ตั้งวงเงิน' }).click()
  await expect(limit.getByText('10', { exact: true })).toBeVisible()
  await limit.getByLabel('วงเงินใหม่ (บาท)').fill('500')
  await limit.getByRole('button', { name: 'ตั้งวงเงิน' }).click()
  await expect(limit.getByText(/^จะเป็น 500 ตั้งแต่/)).toBeVisible()

  const api = new Api(url)
  api.sessionId = await readSessionId(page)
  const ticket = (request_id: string) => ({
    request_id,
    period_code,
    package_code: '70',
    items: [{ bet_type: '2top' as const, number: '12', bet_satang: 1_000, rate: 7_000 }],
  })
  // 10 Baht less 28 % fits into 10 Baht once.
  await api.call(placeOrder, { body: ticket(crypto.randomUUID()) })
  const refusal = await api.refusal(placeOrder, { body: ticket(crypto.randomUUID()) })
  expect(refusal.code).toBe('play_limit_reached')
  await expect(limit.getByText('7.20')).toBeVisible()

  await page.getByRole('button', { name: 'เริ่มพัก' }).click()
  await page.getByRole('button', { name: 'ยืนยันพักการแทง' }).click()
  await expect(page.getByText('คุณกำลังพักการแทง')).toBeVisible()
  await expect(page.getByTestId('bones')).toHaveCount(0)
  await checkScreen(page, info, 'limits')
  expect((await api.refusal(placeOrder, { body: ticket(crypto.randomUUID()) })).code).toBe('play_break')
})
