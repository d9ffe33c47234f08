// Goal: registration, change and recovery of the password, and own limits; each member here is created here.

import { type Language, placeOrder, refusals } from '@megalot/contract'
import type { Page } from '@playwright/test'
import { Api, demoPassword, logInThroughApi } from '../api.ts'
import { checkScreen } from '../check-screen.ts'
import { expect, roundOf, tagOf, test } from '../fixtures.ts'
import { LoginPage } from '../pages/login-page.ts'
import { findLink } from '../pages/mail.ts'
import { newUsername, RegisterPage } from '../pages/register-page.ts'
import { readSessionToken } from '../pages/session.ts'
import { like, type Words, wordsOf } from '../pages/words.ts'

for (const language of ['th', 'en'] as const satisfies readonly Language[]) {
  const t = wordsOf(language)

  // One language is checked in light mode, the other in dark mode: language and colours do not affect each other's
  // checks.
  test.describe(`in ${language}`, { tag: tagOf(language, 'th-desktop') }, () => {
    test.use({ colorScheme: language === 'th' ? 'light' : 'dark' })
    test.beforeEach(async ({ page }) => {
      await page.addInitScript((chosen) => localStorage.setItem('megalot.language', chosen), language)
    })
    describeAccount(language, t)
  })
}

function describeAccount(language: Language, t: Words): void {
  test(`a new member registers, is logged in, and changes the password (${language})`, async ({
    page,
    url,
    isPhone,
  }, info) => {
    const username = newUsername(info.project.name, language + 'reg')
    const register = new RegisterPage(page, language)
    await new LoginPage(page, language).open()
    await page.getByRole('link', { name: t('auth.to_register') }).click()
    await page.getByTestId('captcha-image').waitFor()
    await register.submit.click()
    await expect(page.locator('[aria-invalid=true]').first()).toBeFocused()
    await checkScreen(page, info, `register-problems-${language}`)
    await register.fill('member01', 'first1234')
    await register.submit.click()
    await expect(page.getByText(refusals.username_taken[language])).toBeVisible()
    await register.fill(username, 'first1234')
    await register.submit.click()
    await expect(page.getByTestId('credit-remain')).toHaveText('0.00')
    await expect(page.getByText(t('lotto.no_credit'))).toBeVisible()

    if (isPhone) await page.getByRole('button', { name: wordsOf(language)('shell.panel.open') }).click()
    await page
      .getByRole('link', { name: t('shell.change_password') })
      .filter({ visible: true })
      .click()
    await expect(page).toHaveURL(/\/account\/password$/)
    const fill = async (old_password: string, confirm: string): Promise<void> => {
      await page.getByLabel(t('account.password.old_password'), { exact: true }).fill(old_password)
      await page.getByLabel(t('account.password.new_password'), { exact: true }).fill('second1234')
      await page.getByLabel(t('account.password.confirm_password'), { exact: true }).fill(confirm)
      await page.getByRole('button', { name: t('account.password.submit') }).click()
    }
    await fill('first1234', 'other1234')
    await expect(page.getByText(t('account.password.problem.mismatch'))).toBeVisible()
    await fill('wrong1234', 'second1234')
    await expect(page.getByText(refusals.wrong_old_password[language])).toBeVisible()
    await checkScreen(page, info, `change-password-${language}`)
    await fill('first1234', 'second1234')
    await expect(page.getByText(t('account.password.done'))).toBeVisible()
    // The member stays where it was, and what it does next is done with the session that goes on.
    await expect(page).toHaveURL(/\/account\/password$/)
    await page.goto('/account/sessions')
    await expect(page.getByRole('heading', { level: 1, name: t('shell.sessions') })).toBeAttached()
    await expect(page.getByRole('listitem').filter({ hasText: t('sessions.current') })).toHaveCount(1)
    await checkScreen(page, info, `own-sessions-${language}`)
    await logInThroughApi(url, username, language, 'second1234')
  })

  test(`a forgotten password is reset by the link in the mail (${language})`, async ({ page, outbox }, info) => {
    const username = newUsername(info.project.name, language + 'for')
    await new RegisterPage(page, language).register(username, 'first1234')
    await clearSession(page)
    await page.goto(await findLink(outbox, `${username}@example.com`, 'verify-email'))
    await page.getByLabel(t('auth.password'), { exact: true }).fill('wrong1234')
    await page.getByRole('button', { name: t('credentials.verify.submit') }).click()
    await expect(page.getByText(refusals.wrong_password[language])).toBeVisible()
    await page.getByLabel(t('auth.password'), { exact: true }).fill('first1234')
    await checkScreen(page, info, `verify-email-${language}`)
    await page.getByRole('button', { name: t('credentials.verify.submit') }).click()
    await expect(page.getByText(t('credentials.verify.done'))).toBeVisible()
    await page.getByRole('link', { name: t('credentials.forgot.to_login') }).click()
    await page.getByRole('link', { name: t('auth.to_forgot') }).click()
    await page.getByLabel(t('credentials.forgot.identifier')).fill(`${username}@example.com`)
    await checkScreen(page, info, `forgot-password-${language}`)
    await page.getByRole('button', { name: t('credentials.forgot.submit') }).click()
    await expect(page.getByText(t('credentials.forgot.sent'))).toBeVisible()

    const link = await findLink(outbox, `${username}@example.com`, 'reset-password')
    await page.goto(link)
    await expect(page).toHaveURL(/\/auth\/reset-password$/)
    await page.getByLabel(t('account.password.new_password'), { exact: true }).fill('second1234')
    await page.getByLabel(t('account.password.confirm_password'), { exact: true }).fill('second1234')
    await checkScreen(page, info, `reset-password-${language}`)
    await page.getByRole('button', { name: t('account.password.submit') }).click()
    await expect(page.getByText(t('credentials.reset.done'))).toBeVisible()
    await page.getByRole('link', { name: t('credentials.forgot.to_login') }).click()
    await new LoginPage(page, language).fill(username, { password: 'second1234' })
    await new LoginPage(page, language).submit.click()
    await expect(page.getByTestId('credit-remain')).toBeVisible()
  })

  test(`a user who cannot see the picture logs in by proof of work (${language})`, async ({ page }, info) => {
    const username = newUsername(info.project.name, language + 'see')
    await new RegisterPage(page, language).register(username, demoPassword)
    await clearSession(page)
    const login = new LoginPage(page, language)
    await login.open()
    await login.username.fill(username)
    await login.password.fill(demoPassword)
    await page.getByRole('button', { name: t('auth.proof.other') }).click()
    await expect(page.getByText(t('auth.proof.proven'))).toBeVisible()
    await checkScreen(page, info, `login-proven-${language}`)
    await login.submit.click()
    await expect(page.getByTestId('credit-remain')).toBeVisible()
  })

  test(`where no picture comes the device works instead (${language})`, async ({ page }, info) => {
    const username = newUsername(info.project.name, language + 'nop')
    await new RegisterPage(page, language).register(username, demoPassword)
    await clearSession(page)
    // As in a flood of log-ins.
    const error = { code: 'log_in_paused', details: { wait_ms: 5_000, proof_level: 2 } }
    await page.route('**/megalot/auth/captcha?*', (route) =>
      route.fulfill({ status: 429, json: { status: { code: 429, message: 'paused' }, error } }),
    )
    const login = new LoginPage(page, language)
    await page.goto('/auth/login')
    await login.username.fill(username)
    await login.password.fill(demoPassword)
    await expect(login.picture).toBeHidden()
    // It need not wait for the work.
    await login.submit.click()
    await expect(page.getByTestId('credit-remain')).toBeVisible()
  })

  test(`an announcement is unread until it is read (${language})`, async ({ page, office }, info) => {
    const title_th = `ประกาศ ${newUsername(info.project.name, language + 'a')}`
    const title_en = `News ${newUsername(info.project.name, language + 'a')}`
    const title = language === 'th' ? title_th : title_en
    const announcement = await office.announce({
      type: 'important',
      title_th,
      title_en,
      body_th: 'ปิดรับเร็วขึ้น\nวันที่ 1',
      body_en: 'Closes early\nวันที่ 1',
      is_enabled: true,
    })
    try {
      await new RegisterPage(page, language).register(newUsername(info.project.name, language + 'ann'), demoPassword)
      // The line shows the newest announcement, which may be another journey's.
      await expect(page.getByTestId('announcement-news')).toBeVisible()
      await page.getByRole('link', { name: like(t('shell.announcement.unread', { count: '*' })) }).click()
      const card = page.getByRole('listitem').filter({ hasText: title })
      await expect(card.getByText(t('announcements.unread'))).toBeVisible()
      await card.getByRole('button').click()
      await expect(card.getByText('วันที่ 1')).toBeVisible()
      await expect(card.getByText(t('announcements.unread'))).toBeHidden()
      await checkScreen(page, info, `announcements-${language}`)
    } finally {
      await office.withdraw(announcement)
    }
  })

  test(`a member sets a limit, and the limit is enforced (${language})`, async ({ page, url, office }, info) => {
    const username = newUsername(info.project.name, language + 'lim')
    await new RegisterPage(page, language).register(username, demoPassword)
    await office.setCredit(username, 100_000)
    const { period_code } = await office.openPeriod(
      'lao-pattana',
      roundOf(info.project.name, language === 'th' ? 9 : 5),
    )
    await page.goto('/account/limits')
    const limit = page.getByRole('region', { name: t('account.limits.name.stake_day') })
    await limit.getByRole('button', { name: t('account.limits.change') }).click()
    await limit.getByLabel(t('account.limits.amount')).fill('ยี่สิบ')
    await limit.getByRole('button', { name: t('account.limits.save') }).click()
    await expect(limit.getByText(t('account.limits.problem'))).toBeVisible()
    await limit.getByLabel(t('account.limits.amount')).fill('10')
    await limit.getByRole('button', { name: t('account.limits.save') }).click()
    await expect(limit.getByText('10', { exact: true })).toBeVisible()
    await limit.getByLabel(t('account.limits.amount')).fill('500')
    await limit.getByRole('button', { name: t('account.limits.save') }).click()
    await expect(limit.getByText(new RegExp(`^${t('account.limits.next', { amount: '500', time: '' })}`))).toBeVisible()

    const api = new Api(url)
    api.sessionToken = await readSessionToken(page)
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
    // Below what is used: it says what that means, and is set when it is asked for again.
    await limit.getByLabel(t('account.limits.amount')).fill('5')
    await limit.getByRole('button', { name: t('account.limits.save') }).click()
    await expect(limit.getByRole('status')).toContainText('7.20')
    await expect(limit.getByText('10', { exact: true })).toBeVisible()
    await limit.getByRole('button', { name: t('account.limits.save') }).click()
    await expect(limit.getByText('5', { exact: true })).toBeVisible()

    await page.getByRole('button', { name: t('account.limits.break.begin') }).click()
    await page.getByRole('button', { name: t('account.limits.break.confirm') }).click()
    await expect(page.getByText(t('account.limits.break.time_out'))).toBeVisible()
    await expect(page.getByTestId('skeleton')).toHaveCount(0)
    await checkScreen(page, info, `limits-${language}`)
    expect((await api.refusal(placeOrder, { body: ticket(crypto.randomUUID()) })).code).toBe('play_break')
  })
}

test('after many failed attempts the device solves a proof of work by itself @desktop-only', async ({
  page,
  context,
}, info) => {
  const username = newUsername(info.project.name, 'hold')
  await new RegisterPage(page).register(username, demoPassword)
  await page.evaluate(() => localStorage.clear())
  // Another browser: this one would be a known device.
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

/** As on a new device; language and fonts stay. */
async function clearSession(page: Page): Promise<void> {
  await page.evaluate(() => {
    for (const name of Object.keys(localStorage)) if (name.startsWith('megalot.session')) localStorage.removeItem(name)
  })
}
