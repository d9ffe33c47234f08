// Goal: the frame around a session: the panel and the menu, the headers of a call, the indicators of calls in flight,
// and how a session ends.

import {
  changePassword,
  checkMaintenance,
  forgotPassword,
  getBasicUser,
  type Language,
  logIn,
  register,
} from '@megalot/contract'
import type { Page } from '@playwright/test'
import { expect, tagOf, test } from '../fixtures.ts'
import { anyRound, item, joinMember, placeTicket } from '../history.ts'
import { Gate, intercept } from '../intercept.ts'
import { LoginPage } from '../pages/login-page.ts'
import { newUsername, RegisterPage } from '../pages/register-page.ts'
import { openAs } from '../pages/session.ts'
import { Shell } from '../pages/shell.ts'
import { wordsOf } from '../pages/words.ts'

for (const language of ['th', 'en'] as const satisfies readonly Language[]) {
  test(
    `the panel shows the member and the credit, the menu its five entries (${language})`,
    { tag: tagOf(language, 'th-phone') },
    async ({ page, url, office, isPhone }, info) => {
      const t = wordsOf(language)
      const username = newUsername(info.project.name, `${language}pan`)
      const member = await joinMember(url, office, username, 100_000)
      const period = await office.openPeriod('yeekee', anyRound())
      // 20 Baht less 28 % of discount.
      await placeTicket(member, period, [item('2top', '12', 20)])
      await openAs(page, member, language)
      await page.goto('/')
      const entries = page
        .getByRole('navigation', { name: t('shell.menu.label') })
        .filter({ visible: true })
        .getByRole('link')
      await expect(entries).toHaveText(
        (['lotto', 'bills', 'reports', 'awards', 'manual'] as const).map((name) => t(`shell.menu.${name}`)),
      )
      for (const [at, path] of ['/', '/bills', '/reports', '/awards', '/manual'].entries())
        await expect(entries.nth(at)).toHaveAttribute('href', path)
      const panel = await new Shell(page, isPhone).openPanel()
      await expect(panel.getByText(username, { exact: true })).toBeVisible()
      await expect(panel.getByRole('paragraph').filter({ hasText: t('user.status.NORMAL') })).toHaveText(
        t('user.level.member') + t('user.status.NORMAL'),
      )
      const credit = panel.getByRole('region', { name: t('shell.credit.remain') })
      await expect(credit).toContainText('985.60')
      await expect(credit).toContainText(new RegExp(`${t('shell.credit.used')}\\s*14\\.40`))
      await office.setStatus(username, 'DISABLED_BET')
      await page.reload()
      await new Shell(page, isPhone).openPanel()
      await expect(panel.getByText(t('user.status.DISABLED_BET'), { exact: true })).toBeVisible()
    },
  )
}

test(
  'a call carries the session and the language, and a log-in no session',
  { tag: '@desktop-only' },
  async ({ page, url, office }, info) => {
    const username = newUsername(info.project.name, 'hea')
    await joinMember(url, office, username)
    const calls: { path: string; session: string | undefined; language: string | undefined }[] = []
    page.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (request.resourceType() !== 'fetch' || !/^\/(api|megalot|mgluser)\//.test(pathname)) return
      const { authorization, 'accept-language': language } = request.headers()
      calls.push({ path: pathname, session: authorization, language })
    })
    const login = new LoginPage(page, 'en')
    await login.open()
    await login.chooseLanguage('en')
    await login.fill(username)
    await login.submit.click()
    await expect(page.getByTestId('credit-remain')).toBeVisible()
    await page.goto('/bills')
    await expect(page.getByTestId('credit-remain')).toBeVisible()
    expect(calls.filter(({ path }) => path === logIn.path)).toEqual([
      { path: logIn.path, session: undefined, language: 'en' },
    ])
    const inside = calls.filter(({ path }) => path !== logIn.path && !path.startsWith('/megalot/auth/captcha'))
    expect(inside.map(({ path }) => path)).toContain(getBasicUser.path)
    for (const { path, session, language } of inside) {
      expect(session, path).toMatch(/^Bearer \S{20,}$/)
      expect(language, path).toBe('en')
    }
  },
)

for (const [what, reply] of [
  ['a status other than 200', { status: { code: 500, message: '' }, data: { username: 'somebody' } }],
  ['no data', { status: { code: 200, message: 'OK' }, data: null }],
] as const) {
  test(`a user record with ${what} ends the session`, { tag: '@desktop-only' }, async ({ page, url, office }, info) => {
    await openAs(page, await joinMember(url, office, newUsername(info.project.name, 'rec')))
    await page.evaluate(() => localStorage.setItem('megalot.announcement', '"2026-01-01T00:00:00.000Z"'))
    await intercept(page, `**${getBasicUser.path}`, (route) => route.fulfill({ json: reply }))
    await page.goto('/bills')
    await expect(page).toHaveURL(/\/auth\/login/)
    await expect(new LoginPage(page).submit).toBeVisible()
    expect(await listKeysOfSession(page)).toEqual([])
  })
}

test('a server that does not answer keeps the session, and the page goes on when it answers @phone-only', async ({
  page,
  url,
  office,
}, info) => {
  const member = await joinMember(url, office, newUsername(info.project.name, 'cut'), 100_000)
  await openAs(page, member)
  const answerAgain = await intercept(page, `**${getBasicUser.path}`, (route) => route.abort())
  const stopMaintenance = await intercept(page, `**${checkMaintenance.path}`, (route) => route.abort())
  await page.goto('/bills')
  await expect(page.getByRole('heading', { name: wordsOf('th')('away.offline.title') })).toBeVisible()
  await expect(page).toHaveURL(/\/offline\?back=/)
  answerAgain()
  stopMaintenance()
  await page.getByRole('button', { name: wordsOf('th')('away.offline.try') }).click()
  await expect(page).toHaveURL(/\/bills$/)
})

test(
  'the log-in page comes 100 ms after a call was answered with 401',
  { tag: '@desktop-only' },
  async ({ page, url, office }, info) => {
    await page.clock.install()
    await openAs(page, await joinMember(url, office, newUsername(info.project.name, 'del')))
    await page.goto('/account/password')
    for (const name of ['old_password', 'new_password', 'confirm_password'] as const)
      await page.getByLabel(wordsOf('th')(`account.password.${name}`), { exact: true }).fill('second1234')
    await expect(page.getByTestId('credit-remain')).toBeVisible()
    await intercept(page, `**${changePassword.path}`, (route) =>
      route.fulfill({
        status: 401,
        json: { status: { code: 401, message: '' }, error: { code: 'not_signed_in', details: {} } },
      }),
    )
    // A click waits for the page's own clock, which is stopped from here on; a key does not.
    await page.clock.pauseAt(Date.now() + 1_000)
    await page.keyboard.press('Enter')
    await expect.poll(() => listKeysOfSession(page)).toEqual([])
    await page.clock.runFor(99)
    expect(new URL(page.url()).pathname).toBe('/account/password')
    await page.clock.runFor(1)
    await expect(page).toHaveURL(/\/auth\/login/)
  },
)

function listKeysOfSession(page: Page): Promise<string[]> {
  return page.evaluate(() => Object.keys(localStorage).filter((key) => /megalot\.(session|announcement)/.test(key)))
}

test(
  'a log-in, a user record, a registration and a password recovery show that they are in progress',
  { tag: '@desktop-only' },
  async ({ page, url, office }, info) => {
    const username = newUsername(info.project.name, 'loa')
    const member = await joinMember(url, office, username)
    /** Holds the calls of a row during a check. */
    const hold = async (path: string, whileHeld: () => Promise<void>): Promise<void> => {
      const gate = new Gate()
      const endHold = await intercept(page, `**${path}`, async (route) => {
        await gate.isOpen
        await route.continue()
      })
      await whileHeld()
      endHold()
      gate.release()
    }
    const login = new LoginPage(page)
    const submit = page.locator('button[type=submit]')
    await login.open()
    await login.fill(username)
    await expect(submit).not.toHaveAttribute('aria-busy')
    await hold(logIn.path, async () => {
      await login.submit.click()
      await expect(submit).toHaveAttribute('aria-busy', 'true')
      await expect(submit).toBeDisabled()
    })
    await expect(page.getByTestId('credit-remain')).toBeVisible()

    await openAs(page, member)
    await page.goto('/auth/forgot-password')
    await page.getByLabel(wordsOf('th')('credentials.forgot.identifier')).fill('nobody@example.com')
    await hold(forgotPassword.path, async () => {
      await submit.click()
      await expect(submit).toHaveAttribute('aria-busy', 'true')
    })
    await expect(page.getByText(wordsOf('th')('credentials.forgot.sent'))).toBeVisible()

    await page.evaluate(() => localStorage.clear())
    const form = new RegisterPage(page)
    await form.open()
    await form.fill(newUsername(info.project.name, 'lor'), 'first1234')
    await hold(register.path, async () => {
      await form.submit.click()
      await expect(submit).toHaveAttribute('aria-busy', 'true')
    })
    await expect(page.getByTestId('credit-remain')).toBeVisible()

    await hold(getBasicUser.path, async () => {
      await page.reload({ waitUntil: 'commit' })
      await expect(page.getByRole('heading', { level: 1, name: wordsOf('th')('common.loading') })).toBeAttached()
      await expect(page.getByTestId('credit-remain')).toHaveCount(0)
    })
    await expect(page.getByTestId('credit-remain')).toBeVisible()
  },
)

test(
  'the language is Thai unless English was chosen on the device, whatever the browser prefers',
  { tag: '@desktop-only' },
  async ({ browser, url }) => {
    const context = await browser.newContext({ baseURL: url, locale: 'en-US', serviceWorkers: 'block' })
    const page = await context.newPage()
    const html = page.locator('html')
    try {
      await page.goto('/auth/login')
      await expect(html).toHaveAttribute('lang', 'th')
      await expect(new LoginPage(page, 'th').submit).toBeVisible()
      await new LoginPage(page, 'en').chooseLanguage('en')
      await expect(html).toHaveAttribute('lang', 'en')
      expect(await page.evaluate(() => localStorage.getItem('megalot.language'))).toBe('en')
      await page.reload()
      await expect(new LoginPage(page, 'en').submit).toBeVisible()
    } finally {
      await context.close()
    }
  },
)
