// Goal: those who run the house get an account of their own and keep it safe: an assistant with a one-time password sees its
// areas alone, passkeys, app codes and recovery codes open the log-in and what needs a recent one, an ended session loses
// access, and the audit log shows who did it.

import { type Area, createAssistant, getBasicUser, type Language, refusals } from '@megalot/contract'
import type { Page } from '@playwright/test'
import { readFile } from 'node:fs/promises'
import { TOTP } from 'otpauth'
import { startApp } from '../../scripts/run-app.mjs'
import { type Api, captchaAnswer, logInThroughApi } from '../api.ts'
import { checkScreen, checkWidth, waitUntilThere } from '../check-screen.ts'
import { expect, tagOf, test } from '../fixtures.ts'
import type { Office } from '../office.ts'
import { addAuthenticator } from '../pages/authenticator.ts'
import { LoginPage, openLogIn } from '../pages/login-page.ts'
import { newUsername } from '../pages/register-page.ts'
import { focusRow } from '../pages/rows.ts'
import { openAs } from '../pages/session.ts'
import { Shell } from '../pages/shell.ts'
import { type Words, wordsOf } from '../pages/words.ts'

const languages = ['th', 'en'] as const satisfies readonly Language[]
const ownPassword = 'copper-window-88'
const oneTimePassword = 'maple-lantern-77'

/** An assistant of the first office user that has set its own password. */
async function hire(url: string, office: Office, username: string, areas: Area[]): Promise<Api> {
  const body = { username, display_name: 'Helper', password: oneTimePassword, areas }
  await office.apis[0].call(createAssistant, { body })
  const api = await logInThroughApi(url, username, 'en', oneTimePassword)
  await api.changeOwnPassword(oneTimePassword, ownPassword)
  return api
}

/** The recovery codes on screen, which are then put away. */
async function keepCodes(page: Page, t: Words): Promise<string[]> {
  const codes = page.getByRole('list', { name: t('factor.codes.list') }).getByRole('listitem')
  await expect(codes).toHaveCount(10)
  const texts = await codes.allInnerTexts()
  await page.getByRole('button', { name: t('factor.codes.kept') }).click()
  await expect(page.getByRole('dialog')).toBeHidden()
  return texts
}

for (const language of languages) {
  const t = wordsOf(language)

  test.describe(`in ${language}`, { tag: tagOf(language, 'th-phone') }, () => {
    test.use({ colorScheme: language === 'th' ? 'light' : 'dark' })

    test(`an assistant is made, sets a password and sees its areas alone (${language})`, async ({
      page,
      office,
    }, info) => {
      const username = newUsername(info.project.name, 'ast')
      await openAs(page, office.apis[0], language)
      await page.goto('/console/staff')
      await page.getByRole('button', { name: t('staff.new_assistant') }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('button', { name: t('staff.form.submit'), exact: true }).click()
      await expect(dialog.getByText(t('staff.form.no_areas'))).toBeVisible()
      await expect(dialog.getByLabel(t('staff.username'), { exact: true })).toBeFocused()
      await checkScreen(page, info, `console-new-assistant-${language}`)
      await dialog.getByLabel(t('staff.username'), { exact: true }).fill(username)
      await dialog.getByLabel(t('staff.display_name'), { exact: true }).fill('Somchai')
      await dialog.getByRole('checkbox', { name: t('staff.area.people'), exact: true }).check()
      await dialog.getByRole('button', { name: t('staff.form.submit'), exact: true }).click()
      const given = await dialog.getByTestId('one-time-password').innerText()
      await checkScreen(page, info, `console-one-time-password-${language}`)
      await dialog.getByRole('button', { name: t('staff.password.kept') }).click()
      await expect(page.locator('[data-grid-row]').filter({ hasText: username })).toBeVisible()
      await checkScreen(page, info, `console-staff-${language}`)

      const login = await openLogIn(page, language)
      await login.fill(username, { password: given })
      await login.submit.click()
      await expect(page.getByRole('heading', { level: 1, name: t('factor.log_in.password_title') })).toBeVisible()
      // The session is good for nothing else.
      await page.goto('/console/people')
      await expect(page).toHaveURL(/\/auth\/steps\?back=/)
      await page.getByLabel(t('account.password.given_password'), { exact: true }).fill(given)
      await page.getByLabel(t('account.password.new_password'), { exact: true }).fill(ownPassword)
      await page.getByLabel(t('account.password.confirm_password'), { exact: true }).fill(ownPassword)
      await checkScreen(page, info, `log-in-own-password-${language}`)
      await page.getByRole('button', { name: t('account.password.submit') }).click()
      await expect(page).toHaveURL(/\/console\/people$/)
      await expect(page.getByRole('heading', { level: 1, name: t('console.screen.people') })).toBeAttached()
      await page.goto('/console/reports')
      await expect(page.getByRole('heading', { level: 1, name: t('entrance.refused.title') })).toBeAttached()
      await page.goto('/console/guide')
      await expect(page.getByRole('heading', { level: 1, name: t('console.tab.guide') })).toBeAttached()
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
      await page.getByRole('button', { name: t('staff.new_office') }).click()
      await dialog.getByLabel(t('staff.username'), { exact: true }).fill(username)
      await dialog.getByLabel(t('staff.display_name'), { exact: true }).fill('Somsri')
      await dialog.getByRole('button', { name: t('staff.form.submit'), exact: true }).click()
      const first = await half.innerText()
      await checkScreen(page, info, `console-first-half-${language}`)
      await dialog.getByRole('button', { name: t('staff.password.kept') }).click()

      await openAs(page, office.apis[1], language)
      await page.goto('/console/approvals')
      await focusRow(page.locator('[data-grid-row]').filter({ hasText: username }))
      await page.keyboard.press('a')
      await dialog.getByRole('button', { name: t('approvals.verdict.approve'), exact: true }).click()
      const second = await half.innerText()
      await checkScreen(page, info, `console-second-half-${language}`)
      await dialog.getByRole('button', { name: t('staff.password.kept') }).click()
      await expect(dialog).toBeHidden()

      const login = await openLogIn(page, language)
      for (const password of [first, second]) {
        await login.fill(username, { password })
        await login.submit.click()
        await expect(page.getByText(refusals.wrong_login[language])).toBeVisible()
      }
      await login.fill(username, { password: `${second} ${first}` })
      await login.submit.click()
      await expect(page.getByRole('heading', { level: 1, name: t('factor.log_in.password_title') })).toBeVisible()
    })

    test(`a task of the manual is found by its name (${language})`, async ({ page, office }, info) => {
      await openAs(page, office.apis[0], language)
      await page.goto('/console/account/sessions')
      await waitUntilThere(page)
      await page.keyboard.press('Control+k')
      await expect(page.getByRole('combobox')).toBeFocused()
      await page.keyboard.type(t('palette.task.halt'))
      await page.getByRole('option', { name: t('palette.task.halt') }).click()
      await expect(page).toHaveURL(/\/console\/guide#halt$/)
      await expect(page.getByRole('heading', { level: 2, name: t('palette.task.halt') })).toBeInViewport()
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
      await page.getByRole('button', { name: t('factor.page.add_passkey') }).click()
      await checkScreen(page, info, `console-enrol-passkey-${language}`)
      await page.getByLabel(t('factor.enrol.password'), { exact: true }).fill(ownPassword)
      await page.getByRole('button', { name: t('factor.enrol.next') }).click()
      await expect(page.getByRole('list', { name: t('factor.codes.list') })).toBeVisible()
      await checkScreen(page, info, `console-recovery-codes-${language}`)
      await keepCodes(page, t)
      await checkScreen(page, info, `console-security-${language}`)

      const shell = new Shell(page, isPhone)
      await shell.logOff(language)
      const login = new LoginPage(page, language)
      await login.picture.waitFor()
      await login.fill(username, { password: ownPassword })
      await login.submit.click()
      await expect(page.getByRole('heading', { level: 1, name: t('factor.log_in.factor_title') })).toBeVisible()
      await checkScreen(page, info, `log-in-factor-${language}`)
      await page.getByRole('button', { name: t('factor.challenge.passkey_submit') }).click()
      await expect(page).toHaveURL(/\/console\/(today|periods)$/)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()

      await page.goto('/console/account/security')
      await office.ageFactor(username)
      await page.getByRole('button', { name: t('factor.codes.renew') }).click()
      await page.getByLabel(t('factor.enrol.password'), { exact: true }).fill(ownPassword)
      await page
        .getByRole('dialog')
        .getByRole('button', { name: t('factor.codes.renew') })
        .click()
      const stepUp = page.getByRole('dialog', { name: t('factor.step_up.title') })
      await expect(stepUp.getByRole('button', { name: t('factor.challenge.passkey_submit') })).toBeVisible()
      await checkScreen(page, info, `console-step-up-${language}`)
      await stepUp.getByRole('button', { name: t('factor.challenge.passkey_submit') }).click()
      const [code = ''] = await keepCodes(page, t)

      await shell.logOff(language)
      await login.picture.waitFor()
      await login.fill(username, { password: ownPassword })
      await login.submit.click()
      await page
        .locator('label', { hasText: t('factor.challenge.methods.recovery_code') })
        .first()
        .click()
      const field = page.getByRole('textbox', { name: t('factor.challenge.methods.recovery_code') })
      await field.fill('abc')
      await page.getByRole('button', { name: t('factor.challenge.submit'), exact: true }).click()
      await expect(page.getByText(t('factor.challenge.problem.recovery_code'))).toBeVisible()
      await field.fill(code.toLowerCase())
      await page.getByRole('button', { name: t('factor.challenge.submit'), exact: true }).click()
      await expect(page).toHaveURL(/\/console\/(today|periods)$/)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await page.goto('/console/account/security')
      await expect(page.getByText(t('factor.codes.left', { count: 9 }))).toBeVisible()
    })

    test(`an authenticator app opens the log-in (${language})`, async ({ page, url, office, isPhone }, info) => {
      const username = newUsername(info.project.name, 'app')
      await openAs(page, await hire(url, office, username, ['people']), language)
      await page.goto('/console/account/security')
      await page.getByRole('button', { name: t('factor.page.add_totp') }).click()
      await page.getByLabel(t('factor.enrol.password'), { exact: true }).fill(ownPassword)
      await page.getByRole('button', { name: t('factor.enrol.next') }).click()
      const secret = (await page.getByTestId('totp-secret').innerText()).replaceAll(' ', '')
      await checkScreen(page, info, `console-enrol-totp-${language}`)
      const totp = new TOTP({ secret })
      await page.getByLabel(t('factor.enrol.code')).fill(totp.generate())
      await page.getByRole('button', { name: t('factor.enrol.submit'), exact: true }).click()
      await keepCodes(page, t)
      await page.getByRole('button', { name: t('factor.page.rename') }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByLabel(t('factor.enrol.name'), { exact: true }).fill('Blue phone')
      await dialog.getByRole('button', { name: t('factor.enrol.submit') }).click()
      await expect(page.getByRole('heading', { name: 'Blue phone' })).toBeVisible()

      await new Shell(page, isPhone).logOff(language)
      const login = new LoginPage(page, language)
      await login.picture.waitFor()
      await login.fill(username, { password: ownPassword })
      await login.submit.click()
      // Each code is good once: that of the next thirty seconds is accepted already.
      await page.getByLabel(t('factor.challenge.label.totp')).fill(totp.generate({ timestamp: Date.now() + 30_000 }))
      await page.getByRole('button', { name: t('factor.challenge.submit'), exact: true }).click()
      await expect(page).toHaveURL(/\/console\/(today|periods)$/)
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
      await dialog.getByRole('button', { name: t('staff.action.areas') }).click()
      await dialog.getByRole('checkbox', { name: t('staff.area.credit'), exact: true }).check()
      await dialog.getByLabel(t('common.reason.label')).fill('more work')
      await dialog.getByRole('button', { name: t('staff.action.areas') }).click()
      await expect(page.getByText(t('staff.done'))).toBeVisible()
      await checkScreen(page, info, `console-staff-user-${language}`)

      await page.goto('/console/account/sessions?scope=staff')
      await helper.call(getBasicUser)
      await expect(page.getByRole('button', { name: t('sessions.end_of', { username }) })).toBeVisible()
      await checkScreen(page, info, `console-sessions-${language}`)
      await page.getByRole('button', { name: t('sessions.end_of', { username }) }).click()
      await dialog.getByLabel(t('common.reason.label')).fill('lost phone')
      await dialog.getByRole('button', { name: t('staff.action.end_sessions'), exact: true }).click()
      await expect(dialog).toBeHidden()
      expect((await helper.refusal(getBasicUser)).code).toBe('session_ended')

      await page.goto(`/console/audit?subject_user=${username}&action=change_assistant_areas`)
      const rows = page.locator('[data-grid-row]')
      await expect(rows).toHaveCount(1)
      await expect(rows).toContainText(t('audit.action.change_assistant_areas'))
      await expect(rows).toContainText(
        language === 'th' ? 'ส่วนงาน: ผู้ใช้ เป็น ผู้ใช้, วงเงิน' : 'Areas: Users to Users, Credit',
      )
      await expect(page.getByTestId('chain-state')).toBeVisible()
      await checkScreen(page, info, `console-audit-${language}`)
      const download = page.waitForEvent('download')
      await page.getByRole('button', { name: t('audit.export') }).click()
      const file = await readFile(await (await download).path(), 'utf8')
      expect(file.trimEnd().split('\r\n')).toHaveLength(2)
      await focusRow(rows)
      await page.keyboard.press('Enter')
      await expect(page).toHaveURL(/row=\d+/)
      await expect(dialog.getByRole('columnheader', { name: t('audit.before') })).toBeVisible()
      await expect(
        dialog.getByRole('row').filter({ hasText: `${t('staff.area.people')}, ${t('staff.area.credit')}` }),
      ).toBeVisible()
      await expect(dialog).toContainText('more work')
      await checkScreen(page, info, `console-audit-row-${language}`)
    })
  })
}

test(
  'where a second factor is required, an office user is led to it (en)',
  { tag: '@desktop-only' },
  async ({ page }) => {
    const t = wordsOf('en')
    const app = await startApp({ CAPTCHA_TEST_ANSWER: captchaAnswer, SECOND_FACTOR: 'required' })
    try {
      await addAuthenticator(page)
      await page.goto(`${app.url}/auth/login`)
      const login = new LoginPage(page, 'en')
      await login.chooseLanguage('en')
      await login.fill('office01')
      await login.submit.click()
      await expect(page).toHaveURL(/\/console\/account\/security$/)
      await expect(page.getByText(t('console.enrolment.text'))).toBeVisible()
      await page.goto(`${app.url}/console/people`)
      await page.getByRole('link', { name: 'Set it up' }).click()
      await page.getByRole('button', { name: t('factor.page.add_passkey') }).click()
      await page.getByLabel(t('factor.enrol.password'), { exact: true }).fill('demo1234')
      await page.getByRole('button', { name: t('factor.enrol.next') }).click()
      await keepCodes(page, t)
      await expect(page.getByText(t('console.enrolment.text'))).toBeHidden()
    } finally {
      await app.stop()
    }
  },
)
