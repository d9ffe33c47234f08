import type { Period } from '@megalot/contract'
import { expect, test } from 'vitest'
import { addMonths, groupPeriods, listDays } from './month.ts'

test('days and months, over the ends of years and Februaries', () => {
  expect(listDays('2028-02').at(-1)).toBe('2028-02-29')
  expect(listDays('2026-02').at(-1)).toBe('2026-02-28')
  expect([addMonths('2026-12', 1), addMonths('2026-01', -1)]).toEqual(['2027-01', '2025-12'])
})

test('a day shows what matters most of its rounds, and how many there are', () => {
  const at = (status: Period['status']): Period => ({
    period_code: 'yeekee-20260105-1',
    product_code: 'yeekee',
    period_date: '2026-01-05',
    round: 1,
    open_at: '',
    close_at: '',
    draw_at: '',
    status,
  })
  const cells = groupPeriods([at('settled'), at('closed'), at('upcoming')])
  expect(cells.get('yeekee 2026-01-05')).toEqual({ count: 3, status: 'closed' })
})
