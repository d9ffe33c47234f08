// The screens that `npm run screens` photographs: who opens them, where, and what is done there before.

import type { Language } from '@megalot/contract'
import type { Page } from '@playwright/test'
import { mixedTicket } from '../draw-2025-12-16.ts'
import { betPageOf } from '../pages/bet-page.ts'
import { Shell } from '../pages/shell.ts'
import type { History } from '../history.ts'

export interface Scene {
  name: string
  /** Nobody signed in, a member with tickets, an agent, or a user of the office. */
  as: 'visitor' | 'member' | 'agent' | 'office'
  path: (history: History) => string
  /** Runs when the page is there. */
  prepare?: (page: Page, isPhone: boolean, language: Language) => Promise<void>
  isOnlyFor?: 'phone' | 'desktop'
}

const at = (as: Scene['as'], name: string, path: string): Scene => ({ as, name, path: () => path })
const bet = (history: History): string => `/bet/${history.open.product_code}`

/** Types eight bets in the grid, whatever style is shown afterwards. */
async function fillSlip(page: Page, isPhone: boolean, language: Language): Promise<void> {
  const form = betPageOf(page, isPhone, language)
  await form.chooseStyle('grid')
  await form.cell(0, 'number').waitFor()
  await form.choosePackage('70')
  await form.fillGrid(mixedTicket.filter(({ bet_type }) => !bet_type.endsWith('front')).slice(0, 8))
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
  at('visitor', 'not-found', '/error/404'),
  at('member', 'lotto', '/'),
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
    ...at('member', 'panel', '/'),
    isOnlyFor: 'phone',
    prepare: async (page) => void (await new Shell(page, true).openPanel()),
  },
  at('member', 'bills', '/bills'),
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
  at('member', 'password', '/account/password'),
  at('member', 'print', '/print'),
  { as: 'member', name: 'print-bill', path: ({ won }) => `/print/bills/${won.order_id}` },
  at('member', 'print-balance', '/print/reports/balance'),
  at('member', 'offline', '/offline'),
  at('agent', 'agent-home', '/console'),
  at('agent', 'agent-bills', '/console/bills'),
  at('agent', 'agent-summary', '/console/reports/summary'),
  at('agent', 'tickets', '/console/tickets'),
  at('agent', 'people', '/console/people'),
  at('office', 'office-home', '/console'),
  at('office', 'award-entry', '/console/results'),
  at('office', 'office-maintenance', '/console/maintenance'),
]
