// Goal: log-in and log-out in both languages, one device per member, and the not-found page.

import { getCaptcha, type Language, logOff, refusals } from '@megalot/contract'
import { captchaAnswer, logInThroughApi } from '../api.ts'
import { checkScreen } from '../check-screen.ts'
import { expect, memberOf, tagOf, test } from '../fixtures.ts'
import { anyRound } from '../history.ts'
import { intercept } from '../intercept.ts'
import { betPageOf } from '../pages/bet-page.ts'
import { LoginPage } from '../pages/login-page.ts'
import { Shell } from '../pages/shell.ts'
import { signIn } from '../pages/session.ts'
import { wordsOf } from '../pages/words.ts'

for (const language of ['th', 'en'] as const satisfies readonly Language[]) {
  test(
    `a member logs in and out (${language})`,
    { tag: tagOf(language, 'th-phone') },
    async ({ page, isPhone }, info) => {
      const login = new LoginPage(page, language)
      await login.open()
      await login.chooseLanguage(language)
      await expect(page.locator('html')).toHaveAttribute('lang', language)
      await login.fill(memberOf(info.project.name, 1))
      await login.submit.click()
      const shell = new Shell(page, isPhone)
      await expect(shell.credit).toHaveText('50,000.00')
      await expect(
        page.getByRole('link', { name: wordsOf(language)('shell.menu.bills') }).filter({ visible: true }),
      ).toBeVisible()
      await page.reload()
      await expect(shell.credit).toHaveText('50,000.00')
      await page.evaluate(keepTracesOfSession)
      await shell.logOff(language)
      await expect(page).toHaveURL(/\/auth\/login$/)
      expect(await page.evaluate(listTracesOfSession)).toEqual([])
      await page.goto('/bills')
      await expect(page).toHaveURL(/\/auth\/login/)
    },
  )

  test(
    `a member who shares the device leaves nothing on it, and is asked once (${language})`,
    { tag: tagOf(language, 'th-desktop') },
    async ({ page, url, isPhone, openShownPeriod }, info) => {
      const username = memberOf(info.project.name, 1)
      const product_code = 'thai-government'
      await openShownPeriod(product_code, anyRound())
      const t = wordsOf(language)
      await page.addInitScript((chosen) => localStorage.setItem('megalot.language', chosen), language)
      const draft = async (): Promise<void> => {
        const bet = betPageOf(page, isPhone, language)
        await bet.open(product_code)
        await bet.fillGrid([{ bet_type: '2top', number: '71', bet_satang: 2_000 }])
        await expect.poll(() => page.evaluate(listDrafts)).toHaveLength(1)
      }
      await signIn(page, url, username, language)
      await draft()
      const shell = new Shell(page, isPhone)
      await shell.logOff(language)
      const dialog = page.getByRole('dialog', { name: t('shell.shared_device.title') })
      await expect(dialog).toBeVisible()
      await checkScreen(page, info, `shared-device-${language}`)
      await dialog.getByRole('button', { name: t('shell.shared_device.shared') }).click()
      await expect(page).toHaveURL(/\/auth\/login$/)
      await expect(page.getByRole('button', { name: t('auth.submit'), exact: true })).toBeVisible()
      await expect.poll(() => page.evaluate(listPersonalData)).toEqual([])
      expect(await page.evaluate(() => localStorage.getItem('megalot.device-use'))).toContain('shared')

      await signIn(page, url, username, language)
      await draft()
      await shell.logOff(language)
      await expect(page).toHaveURL(/\/auth\/login$/)
      await expect(page.getByRole('button', { name: t('auth.submit'), exact: true })).toBeVisible()
      await expect.poll(() => page.evaluate(listPersonalData)).toEqual([])
    },
  )

  test(
    `a member without a draft is not asked (${language})`,
    { tag: tagOf(language, 'th-desktop') },
    async ({ page, url, isPhone, openShownPeriod }, info) => {
      await openShownPeriod('thai-government', anyRound())
      const t = wordsOf(language)
      await page.addInitScript((chosen) => localStorage.setItem('megalot.language', chosen), language)
      await signIn(page, url, memberOf(info.project.name, 2), language)
      await page.goto('/')
      await page
        .getByRole('button', { name: t('lotto.favourite', { name: '' }) })
        .first()
        .click()
      await new Shell(page, isPhone).logOff(language)
      await expect(page).toHaveURL(/\/auth\/login$/)
    },
  )

  test(
    `a wrong captcha and a wrong password have their messages, and reveal nothing else (${language})`,
    { tag: tagOf(language, 'th-desktop') },
    async ({ page }, info) => {
      const login = new LoginPage(page, language)
      await login.open()
      await login.chooseLanguage(language)
      const username = memberOf(info.project.name, 1)
      await login.fill(username, { captcha: 'zzzz' })
      await login.submit.click()
      await expect(page.getByText(refusals.wrong_captcha[language])).toBeVisible()
      await expect(login.captcha).toHaveValue('')
      for (const [name, password] of [
        [username, 'wrong-password'],
        ['nobody0815', undefined],
      ] as const) {
        await login.fill(name, password === undefined ? {} : { password })
        await login.submit.click()
        await expect(page.getByText(refusals.wrong_login[language])).toBeVisible()
      }
      await expect(page).toHaveURL(/\/auth\/login$/)
    },
  )
}

test('a picture that never arrives does not block the log-in @phone-only', async ({ page }, info) => {
  const login = new LoginPage(page)
  const stopIntercepting = await intercept(page, `**${getCaptcha.path}?*`, () => new Promise<void>(() => {}))
  // The page requests the picture before it is loaded.
  await page.goto('/auth/login', { waitUntil: 'domcontentloaded' })
  await login.fill(memberOf(info.project.name, 1))
  await login.submit.click()
  // No captcha has been requested, so that there is none to be right about.
  await expect(page.getByText(refusals.wrong_captcha.th)).toBeVisible()
  await expect(login.captcha).toHaveValue('')
  stopIntercepting()
  await page.getByRole('button', { name: wordsOf('th')('auth.captcha_refresh') }).click()
  await login.captcha.fill(captchaAnswer)
  await login.submit.click()
  await expect(page.getByTestId('credit-remain')).toBeVisible()
})

test('a second device ends the session of the first, which shows the reason at once @desktop-only', async ({
  page,
  context,
  url,
}, info) => {
  const username = memberOf(info.project.name, 1)
  await new LoginPage(page).logIn(username)
  const other = await context.newPage()
  await other.goto('/manual')
  await expect(other.getByTestId('credit-remain')).toBeVisible()
  await page.evaluate(keepTracesOfSession)
  await logInThroughApi(url, username)
  // Nobody touches the pages: the server notifies them.
  for (const tab of [page, other]) {
    await expect(tab).toHaveURL(/\/auth\/login/)
    await expect(tab.getByText(refusals.session_replaced.th)).toBeVisible()
  }
  expect(await page.evaluate(listTracesOfSession)).toEqual([])
  // The reason survives a reload, but not a log-in.
  await other.reload()
  await expect(other.getByText(refusals.session_replaced.th)).toBeVisible()
  await new LoginPage(page).fill(username)
  await new LoginPage(page).submit.click()
  await expect(page.getByTestId('credit-remain')).toBeVisible()
  expect(await page.evaluate(() => localStorage.getItem('megalot.leave-reason'))).toBeNull()
})

test('a session that the server no longer knows is removed from the device @phone-only', async ({
  page,
  url,
}, info) => {
  const api = await signIn(page, url, memberOf(info.project.name, 1))
  await page.evaluate(keepTracesOfSession)
  await api.call(logOff)
  await page.goto('/bills')
  await expect(page).toHaveURL(/\/auth\/login/)
  await expect(page.getByText(refusals.not_signed_in.th)).toBeVisible()
  expect(await page.evaluate(listTracesOfSession)).toEqual([])
})

const listDrafts = (): string[] => Object.keys(localStorage).filter((key) => key.startsWith('megalot.slip.'))

/** What is stored beside the settings of the device. */
function listPersonalData(): string[] {
  const ofDevice = /^megalot\.(device-use|language|colour-scheme|letters)$/
  return [localStorage, sessionStorage].flatMap((storage) =>
    Object.keys(storage).filter((key) => key.startsWith('megalot.') && !ofDevice.test(key)),
  )
}

/** As after dismissing an announcement, in an older version of the web. */
function keepTracesOfSession(): void {
  localStorage.setItem('megalot.announcement', '"2026-01-01T00:00:00.000Z"')
  localStorage.setItem('megalot.session.0.9.0', '{"state":{"session_token":"of-an-older-web"},"version":0}')
}

/** What the device and the tab store of a session, and what is dismissed until the log-out. */
function listTracesOfSession(): string[] {
  return [localStorage, sessionStorage].flatMap((storage) =>
    Object.keys(storage).filter(
      (key) => /megalot\.(session|announcement)/.test(key) || (storage.getItem(key) ?? '').includes('session_token'),
    ),
  )
}

test('an address that does not exist leads to the not-found page and back @desktop-only', async ({ page }, info) => {
  await page.goto('/auth')
  await expect(page).toHaveURL(/\/auth\/login$/)
  await page.goto('/no/such/page')
  await expect(page).toHaveURL(/\/error\/404$/)
  await expect(page.getByRole('heading', { name: wordsOf('th')('common.not_found.title') })).toBeVisible()
  await page.getByRole('link', { name: wordsOf('th')('common.not_found.back') }).click()
  await new LoginPage(page).fill(memberOf(info.project.name, 1))
  await new LoginPage(page).submit.click()
  await expect(page.getByTestId('credit-remain')).toBeVisible()
})

test('language and dark mode are chosen in the panel and kept over a reload @phone-only', async ({
  page,
  isPhone,
}, info) => {
  await new LoginPage(page).logIn(memberOf(info.project.name, 1))
  const shell = new Shell(page, isPhone)
  await shell.chooseLanguage('en')
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await shell.chooseTheme('dark')
  await expect(page.locator('html')).toHaveAttribute('data-color-scheme', 'dark')
  await page.reload()
  await expect(
    page.getByRole('link', { name: wordsOf('en')('shell.menu.bills') }).filter({ visible: true }),
  ).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('data-color-scheme', 'dark')
})
