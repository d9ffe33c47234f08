import { expect, test } from 'vitest'
import { dayOfPeriod, makeNames } from './use-names.ts'

const names = makeNames({
  language: 'en',
  marketName: (code) => (code === 'lao-vip' ? 'Lao VIP' : code),
  roundName: (round) => `round ${round}`,
})

test('names a period by its code', () => {
  expect(names.periodName('lao-vip-20260105')).toBe('Lao VIP · 5 Jan 2026')
  expect(names.periodName('lao-vip-20260105-7')).toBe('Lao VIP · 5 Jan 2026 · round 7')
  expect(names.periodName('other-20260105', 'lao-vip')).toBe('Lao VIP · 5 Jan 2026')
  expect(names.periodName('other-20260105')).toBe('other · 5 Jan 2026')
  expect(names.periodName('no period')).toBe('no period')
})

test('names the day and the round of a period', () => {
  expect(names.dayAndRound({ period_date: '2026-01-05', round: null })).toBe('5 Jan 2026')
  expect(names.dayAndRound({ period_date: '2026-01-05', round: 7 })).toBe('5 Jan 2026 · round 7')
  expect(dayOfPeriod('lao-vip-20260105-7')).toBe('2026-01-05')
})
