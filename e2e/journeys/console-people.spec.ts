// Goal: the house is run by screens alone: a member is opened by copying another, gets a password anew and logs in with it; an
// agent's line is halted; two people change a rate beyond its bounds; and who registers with a code bets two clicks later.

import {
  type AgentCode,
  changePassword,
  createAgentCode,
  createAssistant,
  createPerson,
  getBasicUser,
  type Language,
  listAllPackages,
  listProducts,
  type Person,
  type UserLevel,
  refusals,
} from '@megalot/contract'
import type { Locator, Page } from '@playwright/test'
import { randomUUID } from 'node:crypto'
import { type Api, logInThroughApi } from '../api.ts'
import { checkScreen, checkWidth } from '../check-screen.ts'
import { expect, tagOf, test } from '../fixtures.ts'
import { anyRound } from '../history.ts'
import { intercept } from '../intercept.ts'
import type { Office } from '../office.ts'
import { betPageOf } from '../pages/bet-page.ts'
import { Input } from '../pages/input.ts'
import { openLogIn } from '../pages/login-page.ts'
import { newUsername, RegisterPage } from '../pages/register-page.ts'
import { focusRow } from '../pages/rows.ts'
import { openAs } from '../pages/session.ts'
import { like, wordsOf } from '../pages/words.ts'

const languages = ['th', 'en'] as const satisfies readonly Language[]
const ownPassword = 'copper-window-88'
const oneTimePassword = 'maple-lantern-77'
const BAHT = 100
const everyColumn = [
  ...['username', 'display_name', 'level', 'parent_username', 'member_count', 'agent_count', 'own_status', 'status'],
  ...['credit_limit_satang', 'credit_used_satang', 'held_satang', 'credit_remain_satang', 'balance_satang'],
  ...['net_7_days_satang', 'package_count', 'last_log_in_at', 'is_online', 'agent_code', 'created_at'],
]

interface NewPerson {
  username: string
  level: UserLevel
  parent_id?: number
  credit_baht: number
}

/** The left edge, in whole pixels. */
async function edgeOf(part: Locator): Promise<number> {
  return Math.round((await part.boundingBox())!.x)
}

/** Somebody new whose first password is used up; the office makes it. */
async function openAccount(url: string, office: Office, given: NewPerson): Promise<{ person: Person; api: Api }> {
  const { credit_baht, ...rest } = given
  const person = await office.apis[0].call(createPerson, {
    body: {
      ...rest,
      request_id: randomUUID(),
      display_name: given.username,
      password: oneTimePassword,
      credit_limit_satang: credit_baht * BAHT,
    },
  })
  const api = await logInThroughApi(url, given.username, 'en', oneTimePassword)
  await api.changeOwnPassword(oneTimePassword, ownPassword)
  return { person, api }
}

/** An agent directly below the company. */
const openAgent = (url: string, office: Office, username: string) =>
  openAccount(url, office, { username, level: 'super_senior', credit_baht: 10_000 })

/** Logs in with a one-time password, and chooses an own one. */
async function useOneTimePassword(page: Page, language: Language, username: string, password: string): Promise<void> {
  const t = wordsOf(language)
  const login = await openLogIn(page, language)
  await login.fill(username, { password })
  await login.submit.click()
  await expect(page.getByRole('heading', { level: 1, name: t('factor.log_in.password_title') })).toBeVisible()
  await page.getByLabel(t('account.password.given_password'), { exact: true }).fill(password)
  await page.getByLabel(t('account.password.new_password'), { exact: true }).fill(ownPassword)
  await page.getByLabel(t('account.password.confirm_password'), { exact: true }).fill(ownPassword)
  await page.getByRole('button', { name: t('account.password.submit') }).click()
  await page.getByTestId('credit-remain').waitFor()
}

for (const language of languages) {
  const t = wordsOf(language)

  test.describe(`in ${language}`, { tag: tagOf(language, 'th-phone') }, () => {
    test.use({ colorScheme: language === 'th' ? 'light' : 'dark' })

    test(`open a member by copy-from with credit and QR, and reset its password (${language})`, async ({
      page,
      url,
      office,
      isPhone,
    }, info) => {
      const input = new Input(page, isPhone)
      const { api } = await openAgent(url, office, newUsername(info.project.name, 'agt'))
      const model = newUsername(info.project.name, 'mod')
      await api.call(createPerson, {
        body: {
          request_id: randomUUID(),
          level: 'member',
          username: model,
          display_name: model,
          password: oneTimePassword,
          credit_limit_satang: 2_500 * BAHT,
        },
      })
      await openAs(page, api, language)
      await page.goto('/console/people')
      await input.press(page.getByRole('link', { name: t('people.to_new') }))
      await expect(page.getByRole('heading', { level: 1, name: t('people.new.title') })).toBeAttached()
      await page.getByLabel(t('people.new.copy_from'), { exact: true }).fill(model)
      await expect(page.getByLabel(t('people.new.field.credit'), { exact: true })).toHaveValue('2500')

      const username = newUsername(info.project.name, 'new')
      await page.getByLabel(t('people.new.field.username'), { exact: true }).fill(username)
      await page.getByLabel(t('people.new.field.display_name'), { exact: true }).fill('สมศรี')
      await page.getByLabel(t('people.new.field.credit'), { exact: true }).fill('9000')
      await input.press(page.getByRole('button', { name: t('people.new.submit') }))
      await expect(page.getByText(like(t('people.new.problem.credit_over', { left: '*' })))).toBeVisible()
      await checkScreen(page, info, `console-new-person-${language}`)
      await page.getByLabel(t('people.new.field.credit'), { exact: true }).fill('2500')
      // A name that only the server knows to be taken: its field has the message and the focus.
      await page.getByLabel(t('people.new.field.username'), { exact: true }).fill(model)
      await input.press(page.getByRole('button', { name: t('people.new.submit') }))
      await expect(page.getByText(refusals.username_taken[language])).toBeInViewport()
      await expect(page.getByLabel(t('people.new.field.username'), { exact: true })).toBeFocused()
      await page.getByLabel(t('people.new.field.username'), { exact: true }).fill(username)
      await input.press(page.getByRole('button', { name: t('people.new.submit') }))
      await expect(page.getByTestId('handover-username')).toHaveText(username)
      await expect(page.getByTestId('handover-username')).toBeInViewport()
      expect(await page.evaluate(() => scrollY)).toBe(0)
      const given = await page.getByTestId('handover-password').innerText()
      await expect(page.getByRole('img', { name: t('people.handover.qr') })).toBeVisible()
      await checkScreen(page, info, `console-handover-${language}`)

      await page.goto('/console/people')
      await page.getByLabel(t('people.filter.search'), { exact: true }).fill(username)
      const row = page.locator('[data-grid-row]')
      await expect(row).toHaveCount(1)
      await expect(row).toContainText('2,500.00')
      await checkScreen(page, info, `console-people-list-${language}`)
      await focusRow(row)
      await page.keyboard.press('Enter')
      await expect(page.getByRole('heading', { level: 1, name: username })).toBeAttached()
      await checkScreen(page, info, `console-profile-${language}`)

      await input.press(page.getByRole('button', { name: t('people.profile.action.password') }))
      const sheet = page.getByRole('dialog')
      await input.press(sheet.getByRole('button', { name: t('people.password.reset') }))
      await expect(sheet.getByText(t('common.reason.too_short', { least: '3' }))).toBeVisible()
      await sheet.getByLabel(t('common.reason.label'), { exact: true }).fill('forgot it')
      await input.press(sheet.getByRole('button', { name: t('people.password.reset') }))
      const again = await sheet.getByTestId('handover-password').innerText()
      expect(again).not.toBe(given)
      await expect(sheet.getByRole('button', { name: t('people.handover.copy') })).toBeInViewport({ ratio: 1 })
      await checkScreen(page, info, `console-password-${language}`)
      for (const key of ['Escape', 'Escape', 'Escape']) await page.keyboard.press(key)
      await page.mouse.click(2, 2)
      await expect(sheet.getByTestId('handover-password')).toHaveText(again)
      await input.press(sheet.getByRole('button', { name: t('people.handover.noted') }))
      await expect(sheet).toBeHidden()

      // More credit than the parent has: the refusal names the one cause.
      await input.press(page.getByRole('button', { name: t('people.profile.action.credit') }))
      await expect(sheet.getByLabel(t('people.change.amount'), { exact: true })).toBeFocused()
      await sheet.getByLabel(t('people.change.amount'), { exact: true }).fill('12500')
      await expect(sheet).toContainText(
        like(t('people.change.credit_above', { parent: '', left: '*', needed: '10,000.00' })),
      )
      await checkScreen(page, info, `console-credit-over-${language}`)
      await page.keyboard.press('Escape')
      await expect(sheet).toBeHidden()

      await useOneTimePassword(page, language, username, again)
    })

    test(`all columns of people scroll inside the list (${language})`, async ({ page, office, isPhone }, info) => {
      await openAs(page, office.apis[0], language)
      await page.goto(`/console/people?columns=${everyColumn.join(',')}`)
      const grid = page.getByRole('grid')
      await expect(page.locator('[data-grid-row]').first()).toBeVisible()
      await checkScreen(page, info, `console-people-columns-${language}`)
      if (isPhone) return
      // The rows scroll, and the head stands above its columns.
      const last = grid.locator('[data-grid-row]').first().getByRole('gridcell').last()
      await expect(last).not.toBeInViewport()
      await last.scrollIntoViewIfNeeded()
      await expect(last).toBeInViewport()
      await expect.poll(() => edgeOf(grid.getByRole('columnheader').last())).toBe(await edgeOf(last))
      expect(await page.evaluate(() => scrollX)).toBe(0)
      await checkWidth(page, info, `console-people-columns-end-${language}`)
    })

    test(`halt an agent's line (${language})`, async ({ page, url, office, isPhone }, info) => {
      const input = new Input(page, isPhone)
      const { person: top, api } = await openAgent(url, office, newUsername(info.project.name, 'top'))
      const { person: agent } = await openAccount(url, office, {
        username: newUsername(info.project.name, 'sen'),
        level: 'senior',
        parent_id: top.user_id,
        credit_baht: 5_000,
      })
      const members = await Promise.all(
        ['hm1', 'hm2'].map((name) =>
          openAccount(url, office, {
            username: newUsername(info.project.name, name),
            level: 'member',
            parent_id: agent.user_id,
            credit_baht: 100,
          }),
        ),
      )
      await openAs(page, api, language)
      await page.goto('/console/people?form=tree')
      const row = page.locator('[data-grid-row][aria-level="1"]').filter({ hasText: agent.username })
      await focusRow(row)
      await page.keyboard.press('ArrowRight')
      await expect(page.locator('[data-grid-row]').filter({ hasText: members[0]!.person.username })).toBeVisible()
      await expect(row).toHaveAttribute('aria-expanded', 'true')
      await checkScreen(page, info, `console-people-tree-${language}`)
      await focusRow(row)
      await page.keyboard.press('Enter')
      await input.press(page.getByRole('button', { name: t('people.profile.action.halt_line') }))
      const sheet = page.getByRole('dialog')
      await expect(sheet.getByTestId('outcome-count')).toContainText(t('people.change.below', { count: 2 }))
      await sheet.getByLabel(t('common.reason.label'), { exact: true }).fill('does not answer')
      await checkScreen(page, info, `console-halt-${language}`)
      await input.press(
        sheet.getByRole('button', { name: like(t('people.change.confirm_status.SUSPENDED', { name: '*', below: 2 })) }),
      )
      await expect(sheet).toBeHidden()
      await expect(page.getByText(like(t('people.change.done.SUSPENDED', { name: '*', below: 2 })))).toBeVisible()
      await expect(page.getByRole('button', { name: t('people.profile.action.release') })).toBeVisible()
      await page.goto(`/console/people?search=${members[0]!.person.username}`)
      await expect(page.locator('[data-grid-row]').filter({ hasText: t('user.status.SUSPENDED') })).toHaveCount(1)
      for (const member of members) expect((await member.api.refusal(getBasicUser)).http).toBeGreaterThanOrEqual(401)
    })

    test(`two people change a rate beyond bounds (${language})`, async ({ page, office, isPhone }, info) => {
      const input = new Input(page, isPhone)
      // A market of which no journey uses this package.
      const packages = await office.apis[0].call(listAllPackages)
      const chosen = packages.filter(({ package_code }) => package_code !== '70').at(isPhone ? -1 : -2)!
      const markets = await office.apis[0].call(listProducts)
      const market = markets.find(({ product_code }) => product_code === chosen.product_code)!
      const address = `/console/terms?package=${encodeURIComponent(`${chosen.product_code}/${chosen.package_code}`)}`
      await openAs(page, office.apis[0], language)
      await page.goto(address)
      const fields = page.getByRole('group', { name: t('awards.top3'), exact: true })
      const rate = fields.getByLabel(t('terms.field.rate'), { exact: true })
      const submit = page.getByRole('button', { name: t('terms.save_nothing'), exact: true })
      await expect(submit).toBeVisible()
      const before = await rate.inputValue()
      await rate.fill('9999')
      await expect(fields.getByText(t('terms.problem.refused'))).toBeVisible()
      // 100.1 % where the discount is 0: found by the return that stands beside the rate.
      await fields.getByRole('textbox').nth(1).fill('0')
      await rate.fill('1001')
      await expect(fields.getByTestId('return-3top')).toContainText(t('terms.bound.approved'))
      await page.getByLabel(t('common.reason.label'), { exact: true }).fill('a festival')
      await checkScreen(page, info, `console-terms-${language}`)
      await input.press(page.getByRole('button', { name: t('terms.propose', { count: 1 }) }))
      await expect(page.getByText(t('terms.proposed'))).toBeVisible()

      // The page shows what waits, and warns whoever would propose it again.
      const change = `${before} ${t('console.becomes')} 1,001`
      const waiting = fields.getByTestId('waiting-3top')
      await expect(waiting).toContainText(change)
      await expect(waiting).toContainText('office01')
      await expect(waiting).toContainText(like(t('terms.waiting', { change: '', name: '*' })))
      await expect(waiting.getByRole('link')).toHaveAttribute('href', '/console/approvals')
      await expect(submit).toBeVisible()
      await expect(page.getByText(like(t('terms.propose_again', { types: '*' })))).toHaveCount(0)
      await fields.getByRole('textbox').nth(1).fill('0')
      await rate.fill('1002')
      await expect(page.getByText(like(t('terms.propose_again', { types: '*' })))).toBeVisible()
      await checkScreen(page, info, `console-terms-waiting-${language}`)

      // The proposer may only withdraw it.
      await page.goto('/console/approvals')
      const row = page
        .locator('[data-grid-row]')
        .filter({ hasText: t('audit.kind.change_game_config') })
        .filter({ hasText: `${language === 'th' ? market.name_th : market.name_en} · ${chosen.package_code}` })
      await expect(row).toContainText(t('approvals.verdict.withdraw'))
      await expect(row).toContainText(change)
      await expect(row).toContainText(t('awards.top3'))
      await openAs(page, office.apis[1], language)
      await page.goto('/console/approvals')
      await expect(row).toContainText(t('approvals.verdict.approve'))
      await checkScreen(page, info, `console-approvals-${language}`)
      await focusRow(row)
      await page.keyboard.press('a')
      const sheet = page.getByRole('dialog')
      await expect(sheet).toContainText(`${before} ${t('console.becomes')} 1,001`)
      await checkScreen(page, info, `console-approval-${language}`)
      await input.press(sheet.getByRole('button', { name: t('approvals.verdict.approve'), exact: true }))
      await expect(page.getByText(t('approvals.done.approve'))).toBeVisible()
      await expect(row).toHaveCount(0)
      await expect
        .poll(async () => {
          await page.goto(address)
          return rate.inputValue()
        })
        .toBe('1001')
    })

    test(`from registration to the first ticket by screens alone (${language})`, async ({
      page,
      url,
      office,
      isPhone,
      browser,
      openShownPeriod,
    }, info) => {
      const product_code = isPhone ? 'hanoi-vip' : 'hanoi-special'
      const input = new Input(page, isPhone)
      const { api } = await openAgent(url, office, newUsername(info.project.name, 'reg'))
      await openAs(page, api, language)
      await page.goto('/console/people/codes')
      await input.press(page.getByRole('button', { name: t('people.codes.make') }).first())
      await input.press(page.getByRole('dialog').getByRole('button', { name: t('people.codes.make') }))
      await expect(page.getByRole('dialog')).toBeHidden()
      const link = await page.getByText('/auth/register?code=').innerText()
      await checkScreen(page, info, `console-codes-${language}`)

      await openShownPeriod(product_code, anyRound())
      const username = newUsername(info.project.name, 'fir')
      const context = await browser.newContext({
        baseURL: url,
        locale: 'th-TH',
        timezoneId: 'Asia/Bangkok',
        viewport: page.viewportSize(),
        isMobile: isPhone,
        hasTouch: isPhone,
        reducedMotion: 'reduce',
        serviceWorkers: 'block',
      })
      try {
        const member = await context.newPage()
        const register = new RegisterPage(member, 'th')
        await member.goto(link)
        await member.getByTestId('captcha-image').waitFor()
        const code = await member
          .getByLabel(wordsOf('th')('credentials.register.agent_code'), { exact: true })
          .inputValue()
        expect(link).toContain(code)
        await register.fill(username, ownPassword, { agentCode: code })
        await register.submit.click()
        await member.getByTestId('credit-remain').waitFor()

        // Two clicks give credit; the message comes by itself.
        const news = page.getByTestId('newcomer').filter({ hasText: username })
        await expect(news).toContainText(like(t('people.newcomer.registered', { name: '*', code: '*', at: '*' })))
        await checkScreen(page, info, `console-newcomer-${language}`)
        await input.press(news.getByRole('button', { name: t('people.newcomer.give') }))
        await input.press(
          page.getByRole('dialog').getByRole('button', { name: t('people.change.confirm', { count: 1 }) }),
        )
        await expect(page.getByRole('dialog')).toBeHidden()
        await expect(news).toHaveCount(0)

        const bet = betPageOf(member, isPhone, 'th')
        await bet.open(product_code)
        await bet.choosePackage('70')
        await bet.fillGrid([{ bet_type: '2top', number: '12', bet_satang: 1_000 }])
        expect(await bet.place()).toBeGreaterThan(0)
      } finally {
        await context.close()
      }
    })

    test(`a limit that cannot be set until what is owed has been paid back (${language})`, async ({
      page,
      url,
      office,
      isPhone,
    }, info) => {
      const input = new Input(page, isPhone)
      const t = wordsOf(language)
      const { api } = await openAgent(url, office, newUsername(info.project.name, 'owd'))
      const username = newUsername(info.project.name, 'owe')
      const { user_id } = await api.call(createPerson, {
        body: {
          request_id: randomUUID(),
          level: 'member',
          username,
          display_name: username,
          password: oneTimePassword,
          credit_limit_satang: 0,
        },
      })
      // As after a correction that took back 5,200 Baht of a win.
      const range = { least_satang: 5_200 * BAHT, most_satang: 200 * BAHT }
      await intercept(page, `**/mgluser/people/${user_id}`, async (route) => {
        const response = await route.fetch()
        const reply = await response.json()
        await route.fulfill({ response, json: { ...reply, data: { ...reply.data, credit_range: range } } })
      })
      await intercept(page, '**/mgluser/people/bulk/credit', async (route) => {
        const response = await route.fetch()
        const { data, ...reply } = await response.json()
        const outcomes = [{ ...data.outcomes[0], code: 'not_enough_to_give', details: range }]
        await route.fulfill({
          response,
          json: { ...reply, data: { ...data, ok_count: 0, refused_count: 1, outcomes } },
        })
      })
      await openAs(page, api, language)
      await page.goto(`/console/people/${user_id}`)
      await expect(page.getByText(t('people.profile.range_owed', { owed: '5,200.00' }))).toBeVisible()
      await checkScreen(page, info, 'console-profile-owed')
      await input.press(page.getByRole('button', { name: t('people.profile.action.credit'), exact: true }))
      await page.getByRole('dialog').getByLabel(t('people.change.amount'), { exact: true }).fill('5200')
      await expect(
        page.getByRole('dialog').getByText(t('people.change.credit_owed', { owed: '5,200.00', most: '200.00' })),
      ).toBeVisible()
    })
  })
}

test('the list of people keeps its place when somebody comes back from a profile (en) @desktop-only', async ({
  page,
  url,
  office,
}, info) => {
  const { api } = await openAgent(url, office, newUsername(info.project.name, 'pos'))
  for (let count = 0; count < 25; count += 1) {
    const username = newUsername(info.project.name, 'row')
    await api.call(createPerson, {
      body: {
        request_id: randomUUID(),
        level: 'member',
        username,
        display_name: username,
        password: oneTimePassword,
        credit_limit_satang: 0,
      },
    })
  }
  await openAs(page, api, 'en')
  await page.goto('/console/people?sort=username.asc')
  await expect(page.locator('[data-grid-row]').first()).toBeVisible()
  const row = page.locator('[aria-rowindex="20"]')
  await expect
    .poll(async () => {
      await page.mouse.wheel(0, 600)
      return row.isVisible()
    })
    .toBe(true)
  await row.scrollIntoViewIfNeeded()
  const name = await row.getAttribute('data-grid-row')
  await focusRow(row)
  const before = await page.evaluate(() => scrollY)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Reset password' })).toBeVisible()
  await page.goBack()
  await expect(page.locator(`[data-grid-row="${name}"]`)).toBeInViewport()
  expect(Math.abs((await page.evaluate(() => scrollY)) - before)).toBeLessThan(100)
})

test('a code is switched off (en) @phone-only', async ({ page, url, office, isPhone }, info) => {
  const input = new Input(page, isPhone)
  const { api } = await openAgent(url, office, newUsername(info.project.name, 'cod'))
  const { code }: AgentCode = await api.call(createAgentCode, { body: {} })
  await openAs(page, api, 'en')
  await page.goto('/console/people/codes')
  await input.press(page.getByRole('button', { name: `Switch off ${code}` }))
  const sheet = page.getByRole('dialog')
  await sheet.getByLabel('Reason').fill('no longer used')
  await input.press(sheet.getByRole('button', { name: 'Switch off' }))
  await expect(sheet).toBeHidden()
  await expect(page.getByRole('button', { name: `Switch on again ${code}` })).toBeVisible()
  await expect(page.getByRole('img', { name: `QR code to register with ${code}` })).toHaveCount(0)
})

test('an assistant for people alone sees neither credit nor terms of a user, and opens a member without them (en) @phone-only', async ({
  page,
  url,
  office,
  isPhone,
}, info) => {
  const input = new Input(page, isPhone)
  const { api } = await openAgent(url, office, newUsername(info.project.name, 'asp'))
  const [helper, member] = [newUsername(info.project.name, 'hlp'), newUsername(info.project.name, 'mem')]
  await api.call(createAssistant, {
    body: { username: helper, display_name: 'Helper', password: oneTimePassword, areas: ['people'] },
  })
  const first = await logInThroughApi(url, helper, 'en', oneTimePassword)
  await first.call(changePassword, {
    body: { old_password: oneTimePassword, new_password: ownPassword, confirm_password: ownPassword },
  })
  await openAs(page, await logInThroughApi(url, helper, 'en', ownPassword), 'en')
  await page.goto('/console/people/new')
  await page.getByLabel('Username', { exact: true }).fill(member)
  await page.getByLabel('Display name', { exact: true }).fill(member)
  await expect(page.getByLabel('Credit limit (Baht)', { exact: true })).toHaveCount(0)
  await input.press(page.getByRole('button', { name: 'Open the account' }))
  await expect(page.getByTestId('handover-username')).toHaveText(member)
  await page.goto('/console/people')
  const row = page.locator('[data-grid-row]')
  await expect(row).toHaveCount(1)
  await expect(row).not.toContainText('0.00')
  await focusRow(row)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: member })).toBeAttached()
  const parts = page.getByRole('navigation', { name: 'Parts of the profile' }).getByRole('link')
  await expect(parts).toHaveText(['Summary', 'Sessions'])
  await expect(page.getByText('Credit limit')).toHaveCount(0)
  await checkScreen(page, info, 'console-profile-assistant')
  // An address of somebody who may view more.
  await page.goto(`${page.url()}?tab=terms`)
  await expect(parts).toHaveText(['Summary', 'Sessions'])
  await expect(page.getByText('Packages')).toHaveCount(0)
})
