// Goal: a member without a mail address registers and bets with six taps, and a forgotten password comes back through the agent or a
// verified address; a new password ends the sessions of other devices.

import { changeContact, createAgentCode, createPerson, type Language, refusals } from '@megalot/contract'
import type { Locator } from '@playwright/test'
import { randomUUID } from 'node:crypto'
import { type Api, logInThroughApi } from '../api.ts'
import { checkScreen } from '../check-screen.ts'
import { expect, roundOf, tagOf, test } from '../fixtures.ts'
import type { Office } from '../office.ts'
import { betPageOf } from '../pages/bet-page.ts'
import { openLogIn } from '../pages/login-page.ts'
import { findLink } from '../pages/mail.ts'
import { newUsername, RegisterPage } from '../pages/register-page.ts'
import { openAs } from '../pages/session.ts'
import { wordsOf } from '../pages/words.ts'

const firstPassword = 'maple-lantern-77'
const ownPassword = 'copper-window-88'
const MAX_TAPS = 6

/** An agent directly below the company that has set its own password, with its contact. */
async function openAgent(url: string, office: Office, username: string): Promise<Api> {
  const body = { request_id: randomUUID(), level: 'super_senior', username, display_name: username } as const
  await office.apis[0].call(createPerson, {
    body: { ...body, password: firstPassword, credit_limit_satang: 1_000_000 },
  })
  const agent = await logInThroughApi(url, username, 'en', firstPassword)
  await agent.changeOwnPassword(firstPassword, ownPassword)
  await agent.call(changeContact, { body: { name: 'พี่แอน', line_id: '@ann.lotto', phone: '081-234-5678' } })
  return agent
}

for (const language of ['th', 'en'] as const satisfies readonly Language[]) {
  const t = wordsOf(language)

  test.describe(`in ${language}`, { tag: tagOf(language, 'th-phone') }, () => {
    test.use({ colorScheme: language === 'th' ? 'light' : 'dark' })
    test.beforeEach(async ({ page }) => {
      await page.addInitScript((chosen) => localStorage.setItem('megalot.language', chosen), language)
    })

    test(`a forgotten password comes back through the agent (${language})`, async ({ page, url, office }, info) => {
      const agent = await openAgent(url, office, newUsername(info.project.name, `${language}fag`))
      const username = newUsername(info.project.name, `${language}fme`)
      const body = { request_id: randomUUID(), level: 'member', username, display_name: 'สมศรี' } as const
      await agent.call(createPerson, { body: { ...body, password: firstPassword } })
      await page.goto('/auth/forgot-password')
      await page.getByLabel(t('credentials.forgot.identifier')).fill(username)
      await page.getByRole('button', { name: t('credentials.forgot.submit') }).click()
      await expect(page.getByText(t('credentials.forgot.sent'))).toBeVisible()
      await checkScreen(page, info, `forgot-password-asked-${language}`)

      await openAs(page, agent, language)
      await page.goto('/console/people')
      const request = page.getByRole('listitem').filter({ hasText: username })
      await request.getByRole('button', { name: t('people.requests.give') }).click()
      const sheet = page.getByRole('dialog')
      const given = await sheet.getByTestId('handover-password').innerText()
      await checkScreen(page, info, `console-password-request-${language}`)
      await sheet.getByRole('button', { name: t('people.handover.noted') }).click()
      await expect(request).toHaveCount(0)

      const login = await openLogIn(page, language)
      await login.fill(username, { password: given })
      await login.submit.click()
      await page.getByLabel(t('account.password.given_password'), { exact: true }).fill(given)
      await page.getByLabel(t('account.password.new_password'), { exact: true }).fill(ownPassword)
      await page.getByLabel(t('account.password.confirm_password'), { exact: true }).fill(ownPassword)
      await page.getByRole('button', { name: t('account.password.submit') }).click()
      await page.getByTestId('credit-remain').waitFor()
    })

    test(`a member adds an address, and a password set by its mail ends the other session (${language})`, async ({
      page,
      browser,
      url,
      office,
      outbox,
    }, info) => {
      const agent = await openAgent(url, office, newUsername(info.project.name, `${language}mag`))
      const username = newUsername(info.project.name, `${language}mme`)
      const email = `${username}@mail.example`
      const body = { request_id: randomUUID(), level: 'member', username, display_name: 'สมชาย' } as const
      await agent.call(createPerson, { body: { ...body, password: firstPassword } })
      const member = await logInThroughApi(url, username, language, firstPassword)
      await member.changeOwnPassword(firstPassword, ownPassword)
      await openAs(page, member, language)
      await page.goto('/account/email')
      await page.getByLabel(t('account.email.new'), { exact: true }).fill(email)
      await page.getByLabel(t('account.email.password'), { exact: true }).fill(ownPassword)
      await page.getByRole('button', { name: t('account.email.submit') }).click()
      await expect(page.getByText(t('account.email.waits', { email }))).toBeVisible()
      await checkScreen(page, info, `email-waits-${language}`)

      const other = await browser.newPage({ baseURL: url })
      await other.addInitScript((chosen) => localStorage.setItem('megalot.language', chosen), language)
      await other.goto(await findLink(outbox, email, 'verify-email'))
      await other.getByLabel(t('auth.password'), { exact: true }).fill(ownPassword)
      await other.getByRole('button', { name: t('credentials.verify.submit') }).click()
      await expect(other.getByText(t('credentials.verify.done'))).toBeVisible()
      await page.reload()
      await expect(page.getByText(t('account.email.verified', { email }))).toBeVisible()

      await other.goto('/auth/forgot-password')
      await other.getByLabel(t('credentials.forgot.identifier')).fill(username)
      await other.getByRole('button', { name: t('credentials.forgot.submit') }).click()
      await other.goto(await findLink(outbox, email, 'reset-password'))
      await other.getByLabel(t('account.password.new_password'), { exact: true }).fill('silver-garden-55')
      await other.getByLabel(t('account.password.confirm_password'), { exact: true }).fill('silver-garden-55')
      await other.getByRole('button', { name: t('account.password.submit') }).click()
      await expect(other.getByText(t('credentials.reset.done'))).toBeVisible()
      await expect(page).toHaveURL(/\/auth\/login/)
      await expect(page.getByText(refusals.session_password_changed[language])).toBeVisible()
      await other.close()
    })

    test(`help and print need no log-in (${language})`, async ({ page }) => {
      await page.goto('/help')
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page.getByRole('link', { name: t('auth.to_register') })).toBeVisible()
      await page.goto('/print')
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(page).toHaveURL(/\/print$/)
    })
  })

  test.describe(`with a thumb in ${language}`, { tag: '@phone-only' }, () => {
    test.beforeEach(async ({ page }) => {
      await page.addInitScript((chosen) => localStorage.setItem('megalot.language', chosen), language)
    })

    test(`a member registers with a code and no address, and bets with ${MAX_TAPS} taps (${language})`, async ({
      page,
      url,
      office,
      openShownPeriod,
    }, info) => {
      await page.setViewportSize({ width: 360, height: 740 })
      const agent = await openAgent(url, office, newUsername(info.project.name, `${language}agt`))
      const { link } = await agent.call(createAgentCode, { body: { is_email_optional: true } })
      const period = await openShownPeriod('dow', roundOf(info.project.name, language === 'th' ? 1 : 2))
      const username = newUsername(info.project.name, `${language}six`)
      await page.goto(link)
      await page.getByTestId('captcha-image').waitFor()
      await new RegisterPage(page, language).fill(username, ownPassword, { agentCode: null, email: '' })
      await expect(page.getByText(t('account.strength.strong'))).toBeVisible()
      await checkScreen(page, info, `register-strong-${language}`)
      await new RegisterPage(page, language).submit.click()
      await expect(page.getByText(t('lotto.no_credit'))).toBeVisible()
      await page
        .getByRole('main')
        .getByRole('button', { name: t('shell.contact.open') })
        .click()
      await expect(page.getByRole('dialog').getByRole('link', { name: /LINE @ann\.lotto/ })).toHaveAttribute(
        'href',
        'https://line.me/R/ti/p/%40ann.lotto',
      )
      await checkScreen(page, info, `contact-agent-${language}`)
      await office.setCredit(username, 100_000)

      await page.goto('/')
      let taps = 0
      const tap = async (target: Locator): Promise<void> => {
        await target.tap()
        taps += 1
      }
      const bet = betPageOf(page, true, language)
      const key = (name: string): Locator => page.getByRole('button', { name, exact: true })
      await tap(page.locator(`a[href^="/bet/${period.product_code}"]`).first())
      await bet.submit.waitFor()
      for (const name of ['4', '7', wordsOf(language)('bet.quick.stake', { baht: '20' })]) await tap(key(name))
      await tap(bet.submit)
      // A member who has chosen no rate yet chooses it with the sending.
      await tap(page.getByRole('dialog').getByRole('button', { name: / 90 / }))
      await bet.orderId.waitFor()
      expect(taps).toBeLessThanOrEqual(MAX_TAPS)
    })
  })
}
