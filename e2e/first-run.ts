// The first run of a house in the browser, from the printed set-up address to a member's first ticket. It needs nothing
// of the demo, so it runs against any house without an owner, in either language.

import { type Browser, type BrowserContextOptions, expect, type Page } from '@playwright/test'
import { addAuthenticator } from './pages/authenticator.ts'
import { betPageOf } from './pages/bet-page.ts'

const ownPassword = 'copper-window-88'

export interface FirstRunOptions {
  /** Base URL of the house, without a trailing slash. */
  url: string
  /** As the log or `office setup-link` prints it. */
  setupAddress: string
  /** The captcha's answer, if the house has a fixed one; otherwise the browser solves the proof of work. */
  captcha?: string
  /** For each person's browser: viewport, language, certificates that are not checked. */
  context?: BrowserContextOptions
  /** Called on each screen, for looks. */
  onScreen?: (page: Page, name: string) => Promise<void>
}

export interface StartedHouse {
  owner: Page
  second: Page
  agent: string
  member: Page
  /** The market with the member's ticket. */
  product_code: string
  order_id: number
}

/** The set-up address in the log of a house, which prints it once it is ready. */
export async function findSetupAddress(readLog: () => string): Promise<string> {
  for (;;) {
    const found = /^http\S+\/console\/setup#token=\S+$/m.exec(readLog())
    if (found) return found[0]
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Markets of which one takes bets at any time of day. */
const markets = ['lao-vip', 'yeekee', 'hanoi']

/** Walks the whole first run. Its pages stay open for further steps; close their contexts afterwards. */
export async function runFirstRun(browser: Browser, options: FirstRunOptions): Promise<StartedHouse> {
  const { url, setupAddress, onScreen = async () => {} } = options
  const open = async (): Promise<Page> => {
    const context = await browser.newContext({ ...options.context, baseURL: url })
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    return context.newPage()
  }
  const owner = await open()
  await makeFirstOwner(owner, setupAddress, onScreen)
  const second = await open()
  await makeSecondOwner(owner, second, options, onScreen)
  await openMarkets(owner, onScreen)
  const agent = await makePerson(owner, { username: 'agent1', level: 'agent', credit: '100000' }, onScreen)
  const given = await makePerson(owner, { username: 'member1', parent: agent.username, credit: '5000' }, onScreen)
  await owner.goto('/console/readiness')
  await owner.getByTestId('readiness').waitFor()
  await expect(owner.getByTestId('first-run')).toBeHidden()
  await onScreen(owner, 'readiness')
  const member = await open()
  const product_code = await startMember(member, given, options)
  const order_id = await bet(member, product_code, options.context?.isMobile === true)
  return { owner, second, agent: agent.username, member, product_code, order_id }
}

/** The dialog of a passkey is open: gives the password, and keeps the recovery codes. */
async function enrolPasskey(page: Page, onScreen: NonNullable<FirstRunOptions['onScreen']>): Promise<void> {
  const dialog = page.getByRole('dialog')
  await dialog.locator('[name=password]').fill(ownPassword)
  await dialog.locator('[type=submit]').click()
  await expect(dialog.locator('[data-recovery-codes] li')).toHaveCount(10)
  await onScreen(page, 'recovery-codes')
  await dialog.locator('[data-recovery-codes] > button').click()
  await expect(dialog).toBeHidden()
}

type OnScreen = NonNullable<FirstRunOptions['onScreen']>

async function makeFirstOwner(page: Page, setupAddress: string, onScreen: OnScreen): Promise<void> {
  await addAuthenticator(page)
  await page.goto(setupAddress)
  await page.locator('[name=house_name]').fill('บ้านทดสอบ')
  await page.locator('[name=display_name]').fill('สมชาย')
  await page.locator('[name=username]').fill('owner1')
  await page.locator('[name=password]').fill(ownPassword)
  await page.locator('[name=confirm_password]').fill(ownPassword)
  expect(page.url()).not.toContain('#token=')
  await onScreen(page, 'first-owner')
  await page.locator('form [type=submit]').click()
  await page.locator('[data-factor=passkey]').waitFor()
  await onScreen(page, 'first-factor')
  await page.locator('[data-factor=passkey]').click()
  await enrolPasskey(page, onScreen)
  await page.getByTestId('setup-continue').click()
  await page.getByTestId('first-run').waitFor()
  await onScreen(page, 'first-run')
}

async function makeSecondOwner(owner: Page, second: Page, options: FirstRunOptions, onScreen: OnScreen): Promise<void> {
  const step = owner.locator('[data-step=second_owner]')
  await step.locator('[name=username]').fill('owner2')
  await step.locator('[name=display_name]').fill('สมหญิง')
  await step.locator('[type=submit]').click()
  const link = await owner.getByTestId('owner-link').innerText()
  await onScreen(owner, 'owner-link')
  await addAuthenticator(second)
  await second.goto(link)
  await second.locator('[name=new_password]').fill(ownPassword)
  await second.locator('[name=confirm_password]').fill(ownPassword)
  await onScreen(second, 'second-password')
  await second.locator('form [type=submit]').click()
  await second.locator('[name=new_password]').waitFor({ state: 'detached' })
  await logIn(second, 'owner2', ownPassword, options)
  await second.locator('section[aria-labelledby=own-factors] button').first().click()
  await enrolPasskey(second, onScreen)
}

async function logIn(page: Page, username: string, password: string, { captcha }: FirstRunOptions): Promise<void> {
  await page.goto('/auth/login')
  await page.locator('[name=username]').fill(username)
  await page.locator('[name=password]').fill(password)
  if (captcha === undefined) await page.locator('form button[type=button]').last().click()
  else await page.locator('[name=captcha_txt]').fill(captcha)
  await page.locator('form [type=submit]').click()
  await page.locator('[name=username]').waitFor({ state: 'detached' })
}

async function openMarkets(owner: Page, onScreen: OnScreen): Promise<void> {
  await owner.goto('/console/readiness')
  await owner.locator('[data-step=open_market] a').click()
  for (const market of markets) await owner.locator(`[data-market=${market}] input`).check()
  await owner.getByTestId('has-result-entry').locator('input').check()
  await onScreen(owner, 'open-markets')
  await owner.locator('form [type=submit]').click()
  await expect(owner.locator('[data-step=open_market]')).toHaveAttribute('data-done', 'true')
}

interface NewPerson {
  username: string
  level?: string
  parent?: string
  credit: string
}

/** @returns what is handed over */
async function makePerson(
  owner: Page,
  { username, level, parent, credit }: NewPerson,
  onScreen: OnScreen,
): Promise<{ username: string; password: string }> {
  await owner.goto('/console/people/new')
  // Another form follows once the parent is found.
  if (parent !== undefined) {
    await owner.locator('form select').first().waitFor()
    await owner.locator('[name=parent]').fill(parent)
    await expect(owner.locator('form select')).toHaveCount(0)
  }
  if (level !== undefined) await owner.locator('form select').first().selectOption(level)
  await owner.locator('form [name=username]').fill(username)
  await owner.locator('form [name=display_name]').fill(username)
  await owner.locator('form [name=credit]').fill(credit)
  await onScreen(owner, `new-${level ?? 'member'}`)
  await owner.locator('form [type=submit]').click()
  return { username, password: await owner.getByTestId('handover-password').innerText() }
}

/** @returns a market that takes bets now */
async function startMember(
  page: Page,
  { username, password }: { username: string; password: string },
  options: FirstRunOptions,
): Promise<string> {
  await logIn(page, username, password, options)
  await page.locator('[name=old_password]').fill(password)
  await page.locator('[name=new_password]').fill(ownPassword)
  await page.locator('[name=confirm_password]').fill(ownPassword)
  await page.locator('form [type=submit]').click()
  await page.getByTestId('credit-remain').waitFor()
  const open = page.locator(markets.map((market) => `a[href="/bet/${market}"]`).join()).first()
  return (await open.getAttribute('href'))!.replace('/bet/', '')
}

async function bet(page: Page, product_code: string, isPhone: boolean): Promise<number> {
  const betPage = betPageOf(page, isPhone)
  await betPage.open(product_code)
  await betPage.choosePackage('70')
  await betPage.fillGrid([{ number: '27', bet_type: '2top', bet_satang: 1_000 }])
  return betPage.place()
}
