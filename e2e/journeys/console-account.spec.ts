// Goal: those who run the house get an account of their own and keep it safe: an assistant with a one-time password sees its
// areas alone, passkeys, app codes and recovery codes open the log-in and what needs a recent one, an ended session loses
// access, and the audit log shows who did it.

import { type Area, changePassword, createAssistant, getBasicUser, type Language } from '@megalot/contract'
import type { Page } from '@playwright/test'
import { readFile } from 'node:fs/promises'
import { TOTP } from 'otpauth'
import { startApp } from '../../scripts/run-app.mjs'
import { type Api, captchaAnswer, logInThroughApi } from '../api.ts'
import { checkScreen, checkWidth, waitUntilThere } from '../check-screen.ts'
import { expect, tagOf, test } from '../fixtures.ts'
import type { Office } from '../office.ts'
import { addAuthenticator } from '../pages/authenticator.ts'
import { LoginPage } from '../pages/login-page.ts'
import { operatorWordsOf } from '../pages/operator-words.ts'
import type { OperatorWords } from '../pages/operator-words.ts'
import { newUsername } from '../pages/register-page.ts'
import { focusRow } from '../pages/rows.ts'
import { openAs } from '../pages/session.ts'
import { Shell } from '../pages/shell.ts'

const languages = ['th', 'en'] as const satisfies readonly Language[]
const ownPassword = 'copper-window-88'
const oneTimePassword = 'maple-lantern-77'

/** An assistant of the first office user that has set its own password. */
async function hire(url: string, office: Office, username: string, areas: Area[]): Promise<Api> {
  const body = { username, display_name: 'Helper', password: oneTimePassword, areas }
  await office.apis[0].call(createAssistant, { body })
  const first = await logInThroughApi(url, username, 'en', oneTimePassword)
  const passwords = { old_password: oneTimePassword, new_password: ownPassword, confirm_password: ownPassword }
  await first.call(changePassword, { body: passwords })
  return logInThroughApi(url, username, 'en', ownPassword)
}

async function openLogIn(page: Page, language: Language): Promise<LoginPage> {
  await page.evaluate((chosen) => {
    localStorage.clear()
    localStorage.setItem('megalot.language', chosen)
    localStorage.setItem('megalot.letters', 'true')
  }, language)
  const login = new LoginPage(page, language)
  await login.open()
  return login
}

/** The recovery codes on screen, which are then put away. */
async function keepCodes(page: Page, words: OperatorWords): Promise<string[]> {
  const codes = page.getByRole('list', { name: words.codes }).getByRole('listitem')
  await expect(codes).toHaveCount(10)
  const texts = await codes.allInnerTexts()
  await page.getByRole('button', { name: words.kept }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  return texts
}

for (const language of languages) {
  const words = operatorWordsOf(language)

  test.describe(`in ${language}`, { tag: tagOf(language, 'th-phone') }, () => {
    test.use({ colorScheme: language === 'th' ? 'light' : 'dark' })

    test(`an assistant is made, sets a password and sees its areas alone (${language})`, async ({
      page,
      office,
    }, info) => {
      const username = newUsername(info.project.name, 'ast')
      await openAs(page, office.apis[0], language)
      await page.goto('/console/staff')
      await page.getByRole('button', { name: words.new_assistant }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: words.add, exact: true }).click()
      await expect(dialog.getByText(words.no_areas)).toBeVisible()
      await expect(dialog.getByLabel(words.username, { exact: true })).toBeFocused()
      await checkScreen(page, info, `console-new-assistant-${language}`)
      await dialog.getByLabel(words.username, { exact: true }).fill(username)
      await dialog.getByLabel(words.display_name, { exact: true }).fill('Somchai')
      await dialog.getByRole('checkbox', { name: words.people, exact: true }).check()
      await dialog.getByRole('button', { name: words.add, exact: true }).click()
      const given = await dialog.getByTestId('one-time-password').innerText()
      await checkScreen(page, info, `console-one-time-password-${language}`)
      await dialog.getByRole('button', { name: words.noted }).click()
      await expect(page.locator('[data-grid-row]').filter({ hasText: username })).toBeVisible()
      await checkScreen(page, info, `console-staff-${language}`)

      const login = await openLogIn(page, language)
      await login.fill(username, { password: given })
      await login.submit.click()
      await expect(page.getByRole('heading', { level: 1, name: words.own_password })).toBeVisible()
      // The session is good for nothing else.
      await page.goto('/console/people')
      await expect(page).toHaveURL(/\/auth\/steps\?back=/)
      await page.getByLabel(words.given_password, { exact: true }).fill(given)
      await page.getByLabel(words.new_password, { exact: true }).fill(ownPassword)
      await page.getByLabel(words.confirm_password, { exact: true }).fill(ownPassword)
      await checkScreen(page, info, `log-in-own-password-${language}`)
      await page.getByRole('button', { name: words.save_password }).click()
      await expect(page).toHaveURL(/\/console\/people$/)
      await expect(page.getByRole('heading', { level: 1, name: words.people_page })).toBeAttached()
      await page.goto('/console/reports')
      await expect(page.getByRole('heading', { level: 1, name: words.no_permission })).toBeAttached()
      await page.goto('/console/guide')
      await expect(page.getByRole('heading', { level: 1, name: words.guide })).toBeAttached()
      await checkScreen(page, info, `console-guide-${language}`)
    })

    test(`an office user gets a half of its password from each of two people (${language})`, async ({
      page,
      office,
    }, info) => {
      const username = newUsername(info.project.name, 'hlf')
      const dialog = page.getByRole('dialog')
      const half = dialog.getByTestId('one-time-password')
      await openAs(page, office.apis[0], language)
      await page.goto('/console/staff')
      await page.getByRole('button', { name: words.new_office }).click()
      await dialog.getByLabel(words.username, { exact: true }).fill(username)
      await dialog.getByLabel(words.display_name, { exact: true }).fill('Somsri')
      await dialog.getByRole('button', { name: words.add, exact: true }).click()
      const first = await half.innerText()
      await checkScreen(page, info, `console-first-half-${language}`)
      await dialog.getByRole('button', { name: words.noted }).click()

      await openAs(page, office.apis[1], language)
      await page.goto('/console/approvals')
      await focusRow(page.locator('[data-grid-row]').filter({ hasText: username }))
      await page.keyboard.press('a')
      await dialog.getByRole('button', { name: words.approve, exact: true }).click()
      const second = await half.innerText()
      await checkScreen(page, info, `console-second-half-${language}`)
      await dialog.getByRole('button', { name: words.noted }).click()
      await expect(dialog).toBeHidden()

      const login = await openLogIn(page, language)
      for (const password of [first, second]) {
        await login.fill(username, { password })
        await login.submit.click()
        await expect(page.getByText(words.wrong_login)).toBeVisible()
      }
      await login.fill(username, { password: `${second} ${first}` })
      await login.submit.click()
      await expect(page.getByRole('heading', { level: 1, name: words.own_password })).toBeVisible()
    })

    test(`a task of the manual is found by its name (${language})`, async ({ page, office }, info) => {
      await openAs(page, office.apis[0], language)
      await page.goto('/console/account/sessions')
      await waitUntilThere(page)
      await page.keyboard.press('Control+k')
      await expect(page.getByRole('combobox')).toBeFocused()
      await page.keyboard.type(words.manual_task)
      await page.getByRole('option', { name: words.manual_task }).click()
      await expect(page).toHaveURL(/\/console\/guide#halt$/)
      await expect(page.getByRole('heading', { level: 2, name: words.manual_task })).toBeInViewport()
      // Axe checks the manual in the journey of the assistant.
      await checkWidth(page, info, `console-manual-task-${language}`)
    })

    test(`a passkey opens the log-in and what needs a recent one, and so does a recovery code (${language})`, async ({
      page,
      url,
      office,
      isPhone,
    }, info) => {
      const username = newUsername(info.project.name, 'key')
      await openAs(page, await hire(url, office, username, ['people']), language)
      await addAuthenticator(page)
      await page.goto('/console/account/security')
      await page.getByRole('button', { name: words.add_passkey }).click()
      await checkScreen(page, info, `console-enrol-passkey-${language}`)
      await page.getByLabel(words.your_password, { exact: true }).fill(ownPassword)
      await page.getByRole('button', { name: words.next }).click()
      await expect(page.getByRole('list', { name: words.codes })).toBeVisible()
      await checkScreen(page, info, `console-recovery-codes-${language}`)
      await keepCodes(page, words)
      await checkScreen(page, info, `console-security-${language}`)

      const shell = new Shell(page, isPhone)
      await shell.logOff(language)
      const login = new LoginPage(page, language)
      await login.picture.waitFor()
      await login.fill(username, { password: ownPassword })
      await login.submit.click()
      await expect(page.getByRole('heading', { level: 1, name: words.verify_title })).toBeVisible()
      await checkScreen(page, info, `log-in-factor-${language}`)
      await page.getByRole('button', { name: words.use_passkey }).click()
      await expect(page).toHaveURL(/\/console$/)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()

      await page.goto('/console/account/security')
      await office.ageFactor(username)
      await page.getByRole('button', { name: words.renew_codes }).click()
      await page.getByLabel(words.your_password, { exact: true }).fill(ownPassword)
      await page.getByRole('dialog').getByRole('button', { name: words.renew_codes }).click()
      const stepUp = page.getByRole('dialog', { name: words.step_up })
      await expect(stepUp.getByRole('button', { name: words.use_passkey })).toBeVisible()
      await checkScreen(page, info, `console-step-up-${language}`)
      await stepUp.getByRole('button', { name: words.use_passkey }).click()
      const [code = ''] = await keepCodes(page, words)

      await shell.logOff(language)
      await login.picture.waitFor()
      await login.fill(username, { password: ownPassword })
      await login.submit.click()
      await page.locator('label', { hasText: words.recovery_code }).first().click()
      const field = page.getByRole('textbox', { name: words.recovery_code })
      await field.fill('abc')
      await page.getByRole('button', { name: words.verify, exact: true }).click()
      await expect(page.getByText(words.wrong_form)).toBeVisible()
      await field.fill(code.toLowerCase())
      await page.getByRole('button', { name: words.verify, exact: true }).click()
      await expect(page).toHaveURL(/\/console$/)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await page.goto('/console/account/security')
      await expect(page.getByText(words.codes_left)).toBeVisible()
    })

    test(`an authenticator app opens the log-in (${language})`, async ({ page, url, office, isPhone }, info) => {
      const username = newUsername(info.project.name, 'app')
      await openAs(page, await hire(url, office, username, ['people']), language)
      await page.goto('/console/account/security')
      await page.getByRole('button', { name: words.add_totp }).click()
      await page.getByLabel(words.your_password, { exact: true }).fill(ownPassword)
      await page.getByRole('button', { name: words.next }).click()
      const secret = (await page.getByTestId('totp-secret').innerText()).replaceAll(' ', '')
      await checkScreen(page, info, `console-enrol-totp-${language}`)
      const totp = new TOTP({ secret })
      await page.getByLabel(words.app_code).fill(totp.generate())
      await page.getByRole('button', { name: words.save, exact: true }).click()
      await keepCodes(page, words)
      await page.getByRole('button', { name: words.rename }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(words.name, { exact: true }).fill('Blue phone')
      await dialog.getByRole('button', { name: words.save }).click()
      await expect(page.getByRole('heading', { name: 'Blue phone' })).toBeVisible()

      await new Shell(page, isPhone).logOff(language)
      const login = new LoginPage(page, language)
      await login.picture.waitFor()
      await login.fill(username, { password: ownPassword })
      await login.submit.click()
      // Each code is good once: that of the next thirty seconds is accepted already.
      await page.getByLabel(words.code).fill(totp.generate({ timestamp: Date.now() + 30_000 }))
      await page.getByRole('button', { name: words.verify, exact: true }).click()
      await expect(page).toHaveURL(/\/console$/)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    })

    test(`an ended session loses access, and the audit log shows what changed (${language})`, async ({
      page,
      url,
      office,
    }, info) => {
      const username = newUsername(info.project.name, 'end')
      const helper = await hire(url, office, username, ['people'])
      await openAs(page, office.apis[0], language)
      await page.goto(`/console/staff?user=${username}`)
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: words.change_areas }).click()
      await dialog.getByRole('checkbox', { name: words.credit, exact: true }).check()
      await dialog.getByLabel(words.reason).fill('more work')
      await dialog.getByRole('button', { name: words.change_areas }).click()
      await expect(page.getByText(words.saved)).toBeVisible()
      await checkScreen(page, info, `console-staff-user-${language}`)

      await page.goto('/console/account/sessions?scope=staff')
      await helper.call(getBasicUser)
      await expect(page.getByRole('button', { name: words.end_of(username) })).toBeVisible()
      await checkScreen(page, info, `console-sessions-${language}`)
      await page.getByRole('button', { name: words.end_of(username) }).click()
      await dialog.getByLabel(words.reason).fill('lost phone')
      await dialog.getByRole('button', { name: words.end, exact: true }).click()
      await expect(dialog).toBeHidden()
      expect((await helper.refusal(getBasicUser)).code).toBe('session_ended')

      await page.goto(`/console/audit?subject_user=${username}&action=change_assistant_areas`)
      const rows = page.locator('[data-grid-row]')
      await expect(rows).toHaveCount(1)
      await expect(rows).toContainText(words.changed_areas)
      await expect(rows).toContainText(words.areas_change)
      await expect(page.getByTestId('chain-state')).toBeVisible()
      await checkScreen(page, info, `console-audit-${language}`)
      const download = page.waitForEvent('download')
      await page.getByRole('button', { name: words.export }).click()
      const file = await readFile(await (await download).path(), 'utf8')
      expect(file.trimEnd().split('\r\n')).toHaveLength(2)
      await focusRow(rows)
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(/row=\d+/)
      await expect(dialog.getByRole('columnheader', { name: words.before })).toBeVisible()
      await expect(dialog.getByRole('row').filter({ hasText: `${words.people}, ${words.credit}` })).toBeVisible()
      await expect(dialog).toContainText('more work')
      await checkScreen(page, info, `console-audit-row-${language}`)
    })
  })
}

test(
  'where a second factor is required, an office user is led to it (en)',
  { tag: '@desktop-only' },
  async ({ page }) => {
    const words = operatorWordsOf('en')
    const app = await startApp({ CAPTCHA_TEST_ANSWER: captchaAnswer, SECOND_FACTOR: 'required' })
    try {
      await addAuthenticator(page)
      await page.goto(`${app.url}/auth/login`)
      const login = new LoginPage(page, 'en')
      await login.chooseLanguage('en')
      await login.fill('office01')
      await login.submit.click()
      await expect(page).toHaveURL(/\/console\/account\/security$/)
      await expect(page.getByText(words.required)).toBeVisible()
      await page.goto(`${app.url}/console/people`)
      await page.getByRole('link', { name: 'Set it up' }).click()
      await page.getByRole('button', { name: words.add_passkey }).click()
      await page.getByLabel(words.your_password, { exact: true }).fill('demo1234')
      await page.getByRole('button', { name: words.next }).click()
      await keepCodes(page, words)
      await expect(page.getByText(words.required)).toBeHidden()
    } finally {
      await app.stop()
    }
  },
)
