// The screens that `npm run screens` photographs: who opens them, where, and what is done there before.

import type { Language } from '@megalot/contract'
import type { Page } from '@playwright/test'
import { mixedTicket } from '../draw-2025-12-16.ts'
import { betPageOf } from '../pages/bet-page.ts'
import { Builder } from '../pages/entry-styles.ts'
import { Input } from '../pages/input.ts'
import { focusRow } from '../pages/rows.ts'
import { Shell } from '../pages/shell.ts'
import type { History } from '../history.ts'
import { wordsOf } from '../pages/words.ts'

export interface Scene {
  name: string
  /** Nobody signed in, a member with tickets, an agent, or a user of the office. */
  as: 'visitor' | 'member' | 'agent' | 'office'
  path: (history: History) => string
  /** Runs when the page is there. */
  prepare?: (page: Page, isPhone: boolean, language: Language) => Promise<void>
  isOnlyFor?: 'phone' | 'desktop'
  /** No call reaches the server. */
  isOffline?: boolean
}

const at = (as: Scene['as'], name: string, path: string): Scene => ({ as, name, path: () => path })
const bet = (history: History): string => `/bet/${history.open.product_code}`

/** Types eight bets in the grid, whatever style is shown afterwards. */
async function fillSlip(page: Page, isPhone: boolean, language: Language): Promise<void> {
  const form = betPageOf(page, isPhone, language)
  await form.chooseStyle('grid')
  await form.cell(0, 'number').waitFor()
  await form.choosePackage('70')
  // Only the Thai government lottery has front and back threes.
  await form.fillGrid(mixedTicket.filter(({ bet_type }) => bet_type !== '3front' && bet_type !== '3bottom').slice(0, 8))
}

/** Opens the first row of a list. */
async function openRow(page: Page): Promise<void> {
  // A click would reach a control of the row.
  await focusRow(page.locator('[data-grid-row]').first())
  await page.keyboard.press('Enter')
}

/** Opens the first row of a list, whose details are a sheet over it. */
async function openRowSheet(page: Page): Promise<void> {
  await openRow(page)
  await page.getByRole('dialog').waitFor()
}

/** Opens the first person of a list, and a part of the profile. */
function profile(as: 'agent' | 'office', name: string, username: string, tab = 'summary'): Scene {
  return {
    ...at(as, name, `/console/people?search=${username}`),
    prepare: async (page) => {
      await openRow(page)
      await page.waitForURL(/\/people\/\d+/)
      // Anew, so that no focus is drawn around the heading.
      await page.goto(tab === 'summary' ? page.url() : `${page.url()}?tab=${tab}`)
    },
  }
}

/** The copy of a person's data, or erasing it, which is offered for suspended persons only. */
function personDataSheet(name: string, own_status: string): Scene {
  const { prepare, ...scene } = profile('office', name, 'member02')
  return {
    ...scene,
    prepare: async (page, isPhone, language) => {
      await page.route(/\/mgluser\/people\/\d+$/, async (route) => {
        const reply = await route.fetch()
        const json = (await reply.json()) as { data: object }
        await route.fulfill({ response: reply, json: { ...json, data: { ...json.data, own_status } } })
      })
      await prepare!(page, isPhone, language)
      const names = {
        NORMAL: { th: 'สำเนาข้อมูล', en: 'Copy of the data' },
        SUSPENDED: { th: 'ลบข้อมูล', en: 'Erase data' },
      }
      await page.getByRole('button', { name: names[own_status as 'NORMAL' | 'SUSPENDED'][language] }).click()
      await page.getByRole('dialog').waitFor()
      await page.unrouteAll()
    },
  }
}

/** A sheet that the first button opens of those that the selector finds. */
function buttonSheet(scene: Scene, selector: string): Scene {
  return {
    ...scene,
    prepare: async (page) => {
      await page.locator(selector).first().click()
      await page.getByRole('dialog').waitFor()
    },
  }
}

export const scenes: readonly Scene[] = [
  at('visitor', 'login', '/auth/login'),
  {
    ...at('visitor', 'login-problems', '/auth/login'),
    prepare: async (page) => {
      await page.locator('button[type=submit]').click()
      await page.locator('[aria-invalid=true]').first().waitFor()
    },
  },
  at('visitor', 'register', '/auth/register'),
  at('visitor', 'forgot-password', '/auth/forgot-password'),
  at('visitor', 'reset-password', '/auth/reset-password?token=x'),
  at('visitor', 'verify-email', `/auth/verify-email#token=${'x'.repeat(43)}`),
  at('visitor', 'not-found', '/error/404'),
  { ...at('visitor', 'maintenance', '/maintenance'), isOffline: true },
  at('member', 'not-found-member', '/error/404'),
  at('member', 'lotto', '/'),
  at('member', 'own-balance', '/balance'),
  { as: 'member', name: 'bet-empty', path: bet },
  { as: 'member', name: 'bet-grid', path: bet, prepare: fillSlip },
  {
    as: 'member',
    name: 'bet-builder',
    path: bet,
    prepare: (page, isPhone) => betPageOf(page, isPhone).chooseStyle('builder'),
  },
  {
    as: 'member',
    name: 'bet-keypad',
    path: bet,
    prepare: (page, isPhone) => betPageOf(page, isPhone).chooseStyle('mobile'),
  },
  { as: 'member', name: 'bet-latest', path: (history) => `${bet(history)}?view=latest` },
  {
    as: 'member',
    name: 'bet-board',
    path: bet,
    prepare: async (page, isPhone) => {
      await betPageOf(page, isPhone).chooseStyle('builder')
      await new Builder(page, isPhone).choose(2, 'board')
    },
  },
  {
    as: 'member',
    name: 'bet-import',
    path: bet,
    prepare: async (page, isPhone, language) => {
      const form = betPageOf(page, isPhone, language)
      await form.chooseStyle('builder')
      const tools = page.getByRole('toolbar')
      await form.input.press(tools.getByRole('button', { name: wordsOf(language)('entry.tools.import') }))
      await page.getByRole('dialog').getByRole('textbox').fill('12=50*50\n123 100 0 100\nx5=20*20\nสมชาย 12=50')
      await page.getByTestId('import-summary').waitFor()
    },
  },
  {
    as: 'member',
    name: 'bet-chat',
    path: bet,
    prepare: async (page, isPhone, language) => {
      const form = betPageOf(page, isPhone, language)
      await form.chooseStyle('builder')
      const tools = page.getByRole('toolbar')
      await form.input.press(tools.getByRole('button', { name: wordsOf(language)('entry.tools.import') }))
      await form.input.tick(page.getByRole('dialog').getByRole('checkbox', { name: wordsOf(language)('import.chat') }))
      await page.getByRole('dialog').getByRole('textbox').fill('สมชาย\nบน\n12-13=50\n99=1,000\nหน้า 888=20\nรวม 100')
      await page.getByTestId('import-unsure').evaluate((list) => list.scrollIntoView({ block: 'center' }))
    },
  },
  {
    as: 'member',
    name: 'bet-markets',
    path: bet,
    prepare: async (page, isPhone) => {
      await new Input(page, isPhone).press(page.locator('h1 button'))
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    as: 'member',
    name: 'bet-partial',
    path: bet,
    // 47 pays half in the period of the history.
    prepare: async (page, isPhone, language) => {
      const form = betPageOf(page, isPhone, language)
      await form.chooseStyle('grid')
      await form.choosePackage('70')
      await form.fillGrid([
        { bet_type: '2top', number: '47', bet_satang: 2_000 },
        { bet_type: '2top', number: '12', bet_satang: 1_000 },
      ])
      await form.send()
      await page.getByTestId('order-decision').waitFor()
    },
  },
  {
    ...at('member', 'panel', '/'),
    isOnlyFor: 'phone',
    prepare: async (page) => void (await new Shell(page, true).openPanel()),
  },
  at('member', 'bills', '/bills'),
  at('member', 'bills-none', '/bills?search=nothing'),
  { as: 'member', name: 'bill-won', path: ({ won }) => `/bills/${won.order_id}` },
  { as: 'member', name: 'bill-waiting', path: ({ waiting }) => `/bills/${waiting.order_id}` },
  at('member', 'bills-deleted', '/bills/deleted'),
  at('member', 'reports', '/reports'),
  { as: 'member', name: 'reports-period', path: ({ settled }) => `/reports/win-loss/${settled.period_code}` },
  at('member', 'reports-balance', '/reports/balance'),
  at('member', 'reports-summary', '/reports/summary'),
  at('member', 'awards', '/awards'),
  at('member', 'statistics', '/awards/statistics'),
  at('member', 'manual', '/manual'),
  at('member', 'import-help', '/manual/import'),
  at('member', 'announcements', '/announcements'),
  at('member', 'limits', '/account/limits'),
  at('member', 'own-data', '/account/data'),
  at('member', 'password', '/account/password'),
  at('member', 'print', '/print'),
  { as: 'member', name: 'print-bill', path: ({ won }) => `/print/bills/${won.order_id}` },
  at('member', 'print-balance', '/print/reports/balance'),
  { ...at('member', 'offline', '/offline'), isOffline: true },
  at('agent', 'agent-home', '/console'),
  at('agent', 'agent-today', '/console/today'),
  at('agent', 'agent-summary', '/console/reports/summary'),
  at('agent', 'agent-staff', '/console/staff'),
  at('agent', 'tickets', '/console/tickets'),
  at('agent', 'money-home', '/console/home'),
  at('agent', 'money-sheet', '/console/money?show=all'),
  profile('agent', 'money-profile', 'member04', 'money'),
  at('agent', 'line', '/console/downline'),
  at('agent', 'line-types', '/console/downline?report=types'),
  at('agent', 'line-outstanding', '/console/downline?report=outstanding'),
  at('agent', 'line-winners', '/console/downline?report=winners'),
  at('agent', 'line-changed', '/console/downline?report=changed'),
  at('agent', 'line-close', '/console/downline?report=close'),
  at('agent', 'agent-signals', '/console/signals'),
  at('agent', 'print-line', '/console/print/downline'),
  at('agent', 'clearings', '/console/money/clearings'),
  at('agent', 'clearings-above', '/console/money/clearings?side=above'),
  at('agent', 'cash', '/console/money/cash'),
  at('agent', 'money-history', '/console/money/history'),
  at('agent', 'people', '/console/people'),
  at('agent', 'people-tree', '/console/people?form=tree'),
  at('agent', 'people-new', '/console/people/new'),
  at('agent', 'agent-codes', '/console/people/codes'),
  profile('agent', 'agent-person', 'member02'),
  profile('agent', 'agent-person-limits', 'member02', 'limits'),
  at('agent', 'agent-announcements', '/console/announcements'),
  at('agent', 'agent-awards', '/console/awards'),
  at('agent', 'agent-security', '/console/account/security'),
  at('agent', 'agent-sessions', '/console/account/sessions?scope=downline'),
  at('agent', 'agent-own-data', '/console/account/data'),
  at('agent', 'agent-guide', '/console/guide'),
  at('agent', 'agent-refused', '/console/refused'),
  {
    ...at('agent', 'palette', '/console'),
    prepare: async (page) => {
      await page.keyboard.press('Control+k')
      await page.getByRole('dialog').getByRole('combobox').fill('member0')
      await page.getByRole('dialog').getByRole('option').first().waitFor()
    },
  },
  {
    ...at('agent', 'console-menu', '/console'),
    isOnlyFor: 'phone',
    prepare: async (page) => void (await new Shell(page, true).openPanel()),
  },
  at('agent', 'risk-board-agent', '/console/risk'),
  at('agent', 'risk-results-agent', '/console/risk?by=results'),
  at('office', 'office-home', '/console'),
  at('office', 'today', '/console/today'),
  at('office', 'today-all', '/console/today?show=all'),
  buttonSheet(at('office', 'today-new-period', '/console/today'), 'main h1 ~ * button, main h1 ~ button'),
  at('office', 'calendar', '/console/calendar'),
  buttonSheet(at('office', 'calendar-market', '/console/calendar'), 'main table button'),
  at('office', 'signals', '/console/signals'),
  at('office', 'office-tickets', '/console/tickets?search=47'),
  { as: 'office', name: 'office-ticket', path: ({ won }) => `/console/bills/${won.order_id}` },
  { as: 'office', name: 'market', path: ({ open }) => `/console/markets/${open.product_code}` },
  at('office', 'award-entry', '/console/results'),
  {
    as: 'office',
    name: 'award-correction',
    path: ({ settled }) => `/console/results?period=${settled.period_code}`,
    prepare: (page) => page.getByTestId('paid-result').waitFor(),
  },
  at('office', 'approvals', '/console/approvals'),
  at('office', 'approvals-decided', '/console/approvals?list=decided'),
  { ...at('office', 'approval', '/console/approvals?list=decided'), prepare: openRowSheet },
  at('office', 'risk-board', '/console/risk'),
  at('office', 'risk-results', '/console/risk?by=results'),
  at('office', 'office-people', '/console/people'),
  ...['summary', 'terms', 'limits', 'tickets', 'sessions', 'history'].map((tab) =>
    profile('office', `office-person-${tab}`, 'member02', tab),
  ),
  profile('office', 'office-agent', 'agent01'),
  personDataSheet('office-person-copy', 'NORMAL'),
  personDataSheet('office-person-erase', 'SUSPENDED'),
  at('office', 'numbers-standing', '/console/numbers/standing'),
  at('office', 'numbers', '/console/numbers'),
  at('office', 'numbers-rules', '/console/numbers/rules'),
  at('office', 'quotas', '/console/numbers/quotas'),
  at('office', 'open-markets', '/console/numbers/open'),
  at('office', 'readiness', '/console/readiness'),
  { ...at('office', 'quota', '/console/numbers/quotas'), prepare: openRowSheet },
  at('office', 'terms', '/console/terms'),
  at('office', 'terms-form', '/console/terms?package=thai-government/70'),
  at('office', 'office-messages', '/console/messages'),
  at('office', 'office-maintenance', '/console/maintenance'),
  at('office', 'staff', '/console/staff'),
  at('office', 'staff-new', '/console/staff?add=office'),
  at('office', 'staff-person', '/console/staff?user=office02'),
  at('office', 'audit', '/console/audit'),
  { ...at('office', 'audit-row', '/console/audit'), prepare: openRowSheet },
  at('office', 'line-office', '/console/downline'),
  at('office', 'office-reports', '/console/reports'),
  { as: 'office', name: 'office-period', path: ({ settled }) => `/console/reports/win-loss/${settled.period_code}` },
  at('office', 'office-balance', '/console/reports/balance'),
  at('office', 'office-tickets-deleted', '/console/tickets?state=DELETED'),
  at('office', 'office-password', '/console/account/password'),
  at('office', 'security', '/console/account/security'),
  at('office', 'sessions', '/console/account/sessions'),
  at('office', 'guide', '/console/guide'),
  at('office', 'console-not-found', '/console/nowhere'),
]
