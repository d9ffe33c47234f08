import { expect, test } from 'vitest'
import { downlineSpan } from './queries.ts'
import { fileBodyOf } from './report-files.ts'

const days = { date_from: '2026-11-01', date_to: '2026-11-23' }

test.each([
  [{}, { report: 'win_loss_users' }],
  [{ user_id: '7' }, { report: 'win_loss_users', user_id: 7 }],
  [
    { user_id: '7', path: '12.agent01' },
    { report: 'win_loss_users', user_id: 12 },
  ],
  [{ path: '12.agent01,m45.member01' }, { report: 'win_loss_periods', user_id: 45 }],
  [
    { path: 'm45.member01', period_code: 'lao-vip-20261123' },
    { report: 'win_loss_tickets', user_id: 45, period_code: 'lao-vip-20261123' },
  ],
  [
    { report: 'winners', user_id: '7', product_code: 'lao-vip,hanoi' },
    { report: 'winners', user_id: 7, product_codes: ['lao-vip', 'hanoi'] },
  ],
  [{ report: 'changed', path: '12.agent01' }, { report: 'changed_tickets' }],
] as const)('%j is the file %j', (search, body) => {
  expect(fileBodyOf({ ...days, ...search })).toEqual({ ...days, ...body })
})

test('a file of a report without days covers those that its page shows', () => {
  for (const report of ['winners', 'outstanding'] as const)
    expect(fileBodyOf({ report })).toEqual({ report, ...downlineSpan({ report }) })
})
