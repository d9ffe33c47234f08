// Goal: the way in and out in both languages, one device a member, and the page for what does not exist.

import { getCaptcha, type Language, refusals } from '@megalot/contract'
import { captchaAnswer, logInThroughApi } from '../api.ts'
import { expect, memberOf, test } from '../fixtures.ts'
import { intercept } from '../intercept.ts'
import { LoginPage } from '../pages/login-page.ts'
import { Shell } from '../pages/shell.ts'
import { wordsOf } from '../pages/words.ts'

for (const language of ['th', 'en'] as const satisfies readonly Language[]) {
  test(`a member logs in and out (${language})`, async ({ page, isPhone }, info) => {
    const login = new LoginPage(page, language)
    await login.open()
    await login.chooseLanguage(language)
    await expect(page.locator('html')).toHaveAttribute('lang', language)
    await login.fill(memberOf(info.project.name, 1))
    await login.submit.click()
    const shell = new Shell(page, isPhone)
    await expect(shell.credit).toHaveText('50,000.00')
    await expect(page.getByRole('link', { name: wordsOf(language).bills }).filter({ visible: true })).toBeVisible()
    await page.reload()
    await expect(shell.credit).toHaveText('50,000.00')
    await shell.logOff(language)
    await expect(page).toHaveURL(/\/auth\/login$/)
    await page.goto('/bills')
    await expect(page).toHaveURL(/\/auth\/login/)
  })

  test(`a wrong captcha and a wrong password are told apart from nothing else (${language})`, async ({
    page,
  }, info) => {
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
  })
}

test('a picture that never arrives does not hold the log-in', async ({ page }, info) => {
  const login = new LoginPage(page)
  const letPicturesPass = await intercept(page, `**${getCaptcha.path}?*`, () => new Promise<void>(() => {}))
  await page.goto('/auth/login')
  await login.fill(memberOf(info.project.name, 1))
  await login.submit.click()
  // Nothing has been asked of the captcha, so that there is none to be right about.
  await expect(page.getByText(refusals.wrong_captcha.th)).toBeVisible()
  await expect(login.captcha).toHaveValue('')
  letPicturesPass()
  await page.getByRole('button', { name: wordsOf('th').another_picture }).click()
  await login.captcha.fill(captchaAnswer)
  await login.submit.click()
  await expect(page.getByTestId('credit-remain')).toBeVisible()
})

test('a second device ends the session of the first, which is told why at once', async ({ page, url }, info) => {
  const username = memberOf(info.project.name, 1)
  await new LoginPage(page).logIn(username)
  await logInThroughApi(url, username)
  // Nobody touches the page: the server tells it.
  await expect(page).toHaveURL(/\/auth\/login/)
  await expect(page.getByText(refusals.session_replaced.th)).toBeVisible()
})

test('an address that does not exist leads to the not-found page and back', async ({ page }, info) => {
  await page.goto('/no/such/page')
  await expect(page).toHaveURL(/\/error\/404$/)
  await expect(page.getByRole('heading', { name: wordsOf('th').not_found })).toBeVisible()
  await page.getByRole('link', { name: wordsOf('th').to_main }).click()
  await new LoginPage(page).fill(memberOf(info.project.name, 1))
  await new LoginPage(page).submit.click()
  await expect(page.getByTestId('credit-remain')).toBeVisible()
})

test('language and dark mode are chosen in the panel and kept over a reload', async ({ page, isPhone }, info) => {
  await new LoginPage(page).logIn(memberOf(info.project.name, 1))
  const shell = new Shell(page, isPhone)
  await shell.chooseLanguage('en')
  await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  await shell.chooseTheme('dark')
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
  await page.reload()
  await expect(page.getByRole('link', { name: wordsOf('en').bills }).filter({ visible: true })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('data-mantine-color-scheme', 'dark')
})
