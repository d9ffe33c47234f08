import type { WaitingDecision } from '@megalot/contract'
import { expect, test } from 'vitest'
import { makeNames } from '../../../shared/markets/use-names.ts'
import { nameSubject } from './subject-name.ts'

const markets: Readonly<Record<string, string>> = { dow: 'Dow Jones', yeekee: 'Yeekee', 'lao-vip': 'Lao VIP' }
const words = {
  company: 'the company',
  ...makeNames({
    language: 'en',
    marketName: (code) => markets[code] ?? code,
    roundName: (round) => `round ${round}`,
  }),
}

const none = { approval: null, period_code: null, product_code: null }
const ofProposal = (kind: string, subject: string, figures: object = {}, product_code: string | null = null) =>
  ({ ...none, kind, product_code, approval: { subject, figures } }) as unknown as WaitingDecision

test.each([
  ['a package', ofProposal('change_game_config', 'package:dow/90', {}, 'dow'), 'Dow Jones · 90'],
  ['a quota', ofProposal('set_quota', 'product:lao-vip', {}, 'lao-vip'), 'Lao VIP'],
  ['a period', ofProposal('move_period', 'period:lao-vip-20260105', {}, 'lao-vip'), 'Lao VIP · 5 Jan 2026'],
  ['a round', ofProposal('create_period', 'period:yeekee-20260105-7', {}, 'yeekee'), 'Yeekee · 5 Jan 2026 · round 7'],
  ['the ticket of a proposal', ofProposal('repair_ticket', 'order:12'), '#12'],
  ['the company', ofProposal('change_credit_limit', 'user:1'), 'the company'],
  ['a user', ofProposal('change_office_role', 'user:5', { username: 'bee', display_name: 'บี' }), 'bee (บี)'],
  [
    'a user without another name',
    ofProposal('reset_password', 'user:5', { username: 'bee', display_name: 'bee' }),
    'bee',
  ],
  ['what has no known form', ofProposal('change_office_role', 'user:5'), 'user:5'],
  ['a result', { ...none, kind: 'award', period_code: 'dow-20260105' } as const, 'Dow Jones · 5 Jan 2026'],
])('%s has a name', (_, decision, name) => {
  expect(nameSubject(decision, words)).toBe(name)
})
