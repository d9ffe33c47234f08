// Goal: an agent's log-in leads to the console, also to the page that was asked for; a list is worked with by keyboard, and
// its address shows the same to others. On the application with history, whose agents here no other journey uses.

import { type Language, listLimitNumbers, listProductPeriod, type Period } from '@megalot/contract'
import type { Page } from '@playwright/test'
import { readFile } from 'node:fs/promises'
import { type Api, logInThroughApi } from '../api.ts'
import { checkScreen } from '../check-screen.ts'
import { enterHouse, expect, tagOf, test } from '../fixtures.ts'
import { item, placeTicket } from '../history.ts'
import { Input } from '../pages/input.ts'
import { LoginPage } from '../pages/login-page.ts'
import { focusRow } from '../pages/rows.ts'
import { openAs } from '../pages/session.ts'
import { Shell } from '../pages/shell.ts'
import { wordsOf } from '../pages/words.ts'

const languages = ['th', 'en'] as const satisfies readonly Language[]

const DAY_MS = 86_400_000

let house: Awaited<ReturnType<typeof enterHouse>>

test.beforeAll(async () => {
  house = await enterHouse('console-agents')
})
test.afterAll(() => house?.leave())

const rowsOf = (page: Page) => page.locator('[data-grid-row]')

for (const language of languages) {
  test(
    `an agent logs in and lands in the console, also at the page that was asked for (${language})`,
    { tag: tagOf(language, 'th-phone') },
    async ({ page, isPhone }, info) => {
      const t = wordsOf(language)
      const login = new LoginPage(page, language)
      const username = 'agent03'
      await page.emulateMedia({ colorScheme: language === 'th' ? 'light' : 'dark' })
      await page.goto(`${house.url}/auth/login`)
      await login.picture.waitFor()
      await login.chooseLanguage(language)
      await login.fill(username)
      await login.submit.click()
      await expect(page).toHaveURL(/\/console\/home$/)
      await expect(page.getByRole('heading', { level: 1, name: t('home.title') })).toBeAttached()
      await page.goto(`${house.url}/console/periods`)
      await expect(page.getByRole('heading', { level: 1, name: t('console.tab.periods') })).toBeAttached()
      await expect(rowsOf(page).first()).toBeVisible()
      await checkScreen(page, info, `console-periods-${language}`)

      const shell = new Shell(page, isPhone)
      await shell.logOff(language)
      await expect(page).toHaveURL(/\/auth\/login$/)
      // A former address is kept through the log-in, and leads to the page of today.
      await page.goto(`${house.url}/office/shares`)
      await expect(page).toHaveURL(/\/auth\/login\?back=/)
      await login.fill(username)
      await login.submit.click()
      await expect(page).toHaveURL(/\/console\/people$/)
      await expect(page.getByRole('heading', { level: 1, name: t('console.screen.people') })).toBeAttached()
      await expect(rowsOf(page).first()).toBeVisible()
      await checkScreen(page, info, `console-people-${language}`)
    },
  )
}

for (const language of languages) {
  test(
    `an agent checks the day of its own line, finds a ticket, and goes down its line to one (${language})`,
    { tag: tagOf(language, 'th-phone') },
    async ({ page, isPhone }, info) => {
      const t = wordsOf(language)
      const input = new Input(page, isPhone)
      const api = await logInThroughApi(house.url, 'agent04', language)
      await openAs(page, api, language)
      const rows = rowsOf(page)

      await test.step('the day, without what is the office’s', async () => {
        await page.goto(`${house.url}/console/today?sort=tickets.desc`)
        await expect(rows.first()).toBeVisible()
        await expect(rows.first().getByRole('button')).toHaveCount(0)
        await checkScreen(page, info, `today-agent-${language}`)
        await page.goto(`${house.url}/console/calendar`)
        await expect(page.getByRole('table').locator('[data-status=open]').first()).toBeVisible()
        await checkScreen(page, info, `calendar-agent-${language}`)
      })

      await test.step('a ticket by its number, in one field, at once with Enter', async () => {
        await page.addInitScript(ignorePausesInTyping)
        await page.goto(`${house.url}/console/tickets`)
        const name = await rows.first().getByRole('link').innerText()
        await page.getByRole('searchbox', { name: t('tickets.search') }).fill(name)
        await page.keyboard.press('Enter')
        await expect(rows).toHaveCount(1)
        await expect(rows).toContainText(name)
        await checkScreen(page, info, `tickets-agent-${language}`)
      })

      await test.step('from the line to a member, a period and a ticket', async () => {
        // Of two days, whatever the day of the month.
        await page.goto(`${house.url}/console/downline?${new URLSearchParams(lastDays())}`)
        const bettor = rows.filter({ has: page.locator('[data-name=tickets]').filter({ hasText: /[1-9]/ }) }).first()
        const nameCell = bettor.locator('[data-row-name]')
        await expect(nameCell).not.toBeEmpty()
        const member = ((await nameCell.textContent()) ?? '').trim()
        await checkScreen(page, info, `line-agent-${language}`)
        await input.press(bettor)
        await expect(page.getByRole('navigation', { name: t('downline.path') }).getByText(member)).toBeVisible()
        await expect(rows.filter({ hasText: member })).toHaveCount(0)
        await input.press(rows.first())
        await expect(page).toHaveURL(/period_code=/)
        const ticket = rows.filter({ hasText: '#' }).first()
        await input.press(ticket)
        await expect(page).toHaveURL(/\/bills\/\d+$/)
      })
    },
  )
}

/** Runs in the page: the pause after which a t('tickets.search') is sent by itself never ends. */
function ignorePausesInTyping(): void {
  const wait = window.setTimeout.bind(window)
  const pauseMs = 250
  Object.assign(window, { setTimeout: (act: () => void, ms?: number) => (ms === pauseMs ? 0 : wait(act, ms)) })
}

const dayOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** The days of the demo's history. */
function lastDays(): { date_from: string; date_to: string } {
  const now = Date.now()
  return { date_from: dayOf(now - 4 * DAY_MS), date_to: dayOf(now + DAY_MS) }
}

test('a list is worked with by keyboard, and its address shows the same to others (en) @desktop-only', async ({
  page,
}, info) => {
  const t = wordsOf('en')
  const api = await logInThroughApi(house.url, 'master01', 'en')
  await openAs(page, api, 'en')
  await page.goto(`${house.url}/console/periods`)
  const rows = rowsOf(page)
  await focusRow(rows.first())
  await page.keyboard.press('End')
  await expect(rows.last()).toBeFocused()
  await page.keyboard.press('Home')
  await page.keyboard.press('ArrowDown')
  await expect(rows.nth(1)).toBeFocused()

  await page.getByRole('button', { name: t('grid.view'), exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('checkbox', { name: 'Draw' }).uncheck()
  await expect(page).toHaveURL(/columns=/)
  await dialog.getByLabel('Sort by').selectOption({ label: `${t('periods.market')}, descending` })
  await expect(page).toHaveURL(/sort=market\.desc/)
  await dialog.getByLabel(t('grid.view_name')).fill('By name')
  await dialog.getByRole('button', { name: t('grid.save_view') }).click()
  await expect(dialog.getByRole('button', { name: 'By name', exact: true })).toBeVisible()
  await checkScreen(page, info, 'console-view-en')
  await dialog.getByRole('button', { name: t('common.action.close') }).click()
  const heads = page.getByRole('columnheader')
  await expect(heads.filter({ hasText: 'Draw' })).toHaveCount(0)
  await expect(heads.filter({ hasText: t('periods.market') })).toHaveAttribute('aria-sort', 'descending')

  // The columns are kept, and the view opens with its sort.
  await page.goto(`${house.url}/console/periods`)
  await expect(rows.first()).toBeVisible()
  await expect(heads.filter({ hasText: 'Draw' })).toHaveCount(0)
  await page.getByRole('button', { name: t('grid.view'), exact: true }).click()
  await dialog.getByRole('button', { name: 'By name', exact: true }).click()
  await expect(page).toHaveURL(/sort=market\.desc/)
  await dialog.getByRole('button', { name: t('common.action.close') }).click()

  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'CSV' }).click()
  const text = await readFile(await (await download).path(), 'utf8')
  const lines = text.trimEnd().split('\r\n')
  expect(lines[0]).toBe(`\uFEFF${t('periods.market')},State,Period,${t('periods.close_at')}`)
  // Every row, although only those near the screen are drawn.
  expect(lines).toHaveLength(Number(await page.getByRole('grid').getAttribute('aria-rowcount')))
  const names = lines.slice(1).map((line) => line.split(',')[0] ?? '')
  expect(names).toEqual(names.toSorted((a, b) => b.localeCompare(a, 'en')))
  expect(await rows.first().locator('[data-row-name]').innerText()).toContain(names[0])

  await focusRow(rows.first())
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/console\/markets\//)
})

for (const language of languages) {
  test(
    `an agent sees a bet of its line come in on the risk board, and sets no numbers (${language})`,
    { tag: tagOf(language, 'th-phone') },
    async ({ page }, info) => {
      const t = wordsOf(language)
      const api = await logInThroughApi(house.url, 'agent01', language)
      const member = await logInThroughApi(house.url, 'member03', language)
      const { period, number } = await findOpenNumber(member)
      await placeTicket(member, period, [item('2top', number, 10)])
      await page.emulateMedia({ colorScheme: language === 'th' ? 'light' : 'dark' })
      await openAs(page, api, language)
      const address = `/console/risk?market=${period.product_code}&period=${period.period_code}`
      // By number, so that a low one is on the screen.
      await page.goto(`${house.url}${address}&bet_type=2top&sort=number`)
      await expect(page.getByRole('heading', { level: 1, name: t('console.screen.risk') })).toBeAttached()
      const cell = page.getByTestId(`cell-2top-${number}`)
      await expect(cell).toBeVisible()
      await checkScreen(page, info, `risk-board-agent-${language}`)
      await cell.click()
      const sheet = page.getByRole('dialog')
      const stake = sheet.getByTestId('fact-stake')
      const before = (await stake.textContent())!
      await expect(sheet.getByTestId('fact-own_stake')).toHaveText(/\d/)
      await expect(sheet.getByText(t('risk.state.half'))).toHaveCount(0)
      await checkScreen(page, info, `risk-number-agent-${language}`)
      await placeTicket(member, period, [item('2top', number, 30)])
      await expect(stake).toHaveText(String(Number(before) + 30))
      await page.goto(`${house.url}${address}&by=results&part=own`)
      await expect(page.getByTestId('figure-percentile')).toHaveText(/\d/)
      await checkScreen(page, info, `risk-results-agent-${language}`)
    },
  )
}

/** A number of two digits that the demo has not limited, in a period that stays open for a while. */
async function findOpenNumber(member: Api): Promise<{ period: Period; number: string }> {
  const { products } = await member.call(listProductPeriod)
  const period = products
    .filter(({ has_package, bet_types }) => has_package && bet_types.includes('2top'))
    .flatMap(({ current_period }) => (current_period?.status === 'open' ? [current_period] : []))
    .toSorted((one, other) => Date.parse(other.close_at) - Date.parse(one.close_at))[0]
  if (period === undefined) throw new Error('no market is open')
  const limited = await member.call(listLimitNumbers, { params: { period_code: period.period_code } })
  const isFree = (number: string): boolean => !limited.some((one) => one.bet_type === '2top' && one.number === number)
  const number = Array.from({ length: 100 }, (_, value) => String(value).padStart(2, '0')).find(isFree)
  if (number === undefined) throw new Error(`every number of ${period.period_code} is limited`)
  return { period, number }
}
