import type { DayPeriod } from '@megalot/contract'
import { expect, test } from 'vitest'
import {
  actionOfKey,
  awaitsDraw,
  isInFilter,
  listDayActions,
  listDayRows,
  nameNoCountdown,
  sumDay,
} from './day-actions.ts'

const at = (time: string) => `2026-01-05T${time}:00.000Z`

function makeRow(status: DayPeriod['period']['status'], result: DayPeriod['result']): DayPeriod {
  return {
    period: {
      period_code: 'lao-vip-20260105',
      product_code: 'lao-vip',
      period_date: '2026-01-05',
      round: null,
      open_at: at('01:00'),
      close_at: at('13:20'),
      draw_at: at('13:25'),
      status,
    },
    tickets: 1,
    stake_satang: 100,
    worst_case_satang: null,
    result_satang: null,
    result,
    done_percent: null,
    seal: null,
    alerts: [],
    numbers_near_quota: 0,
  }
}

const operations = { is_office: true, permissions: ['periods.do', 'results.do'] as const }
const [noon, afterClose, afterDraw] = ['12:00', '13:22', '13:30'].map((time) => Date.parse(at(time)))

test.each([
  ['open', 'none', noon, ['close', 'move', 'void']],
  // The clock is ahead of the last reply.
  ['open', 'none', afterClose, ['void']],
  ['closed', 'none', afterClose, ['void']],
  ['closed', 'one_of_two', afterDraw, ['result', 'void']],
  ['closed', 'settling', afterDraw, []],
  ['settled', 'settled', afterDraw, ['result']],
  ['void', 'void', afterDraw, []],
  ['upcoming', 'none', noon, ['move', 'void']],
] as const)('%s with result %s', (status, result, nowMs, actions) => {
  expect(listDayActions(makeRow(status, result), operations, nowMs!)).toEqual(actions)
})

test.each([
  ['upcoming', { name: 'opens_at', at: at('01:00') }],
  ['open', null],
  ['closed', { name: 'closed_at', at: at('13:20') }],
  ['settled', { name: 'closed_at', at: at('13:20') }],
] as const)('a period that is %s opens, counts down, or has closed', (status, said) => {
  expect(nameNoCountdown(makeRow(status, 'none').period)).toEqual(said)
})

test('before the draw the key of the result has a reason to do nothing, for those who may enter it', () => {
  const closed = makeRow('closed', 'none')
  expect([afterClose, afterDraw].map((nowMs) => awaitsDraw(closed, operations, nowMs!))).toEqual([true, false])
  expect(awaitsDraw(closed, { is_office: true, permissions: ['periods.do'] }, afterClose!)).toBe(false)
  expect(awaitsDraw(makeRow('void', 'void'), operations, afterClose!)).toBe(false)
})

test('a void period counts neither among the tickets nor among the stakes of the day', () => {
  const day = [
    makeRow('open', 'none'),
    makeRow('void', 'void'),
    makeRow('closed', 'voiding'),
    makeRow('settled', 'settled'),
  ]
  expect([sumDay(day, 'tickets'), sumDay(day, 'stake_satang')]).toEqual([2, 200])
})

test('nobody does what it lacks the permission for', () => {
  const row = makeRow('closed', 'none')
  expect(listDayActions(row, { is_office: true, permissions: ['periods.view', 'results.do'] }, afterDraw!)).toEqual([
    'result',
  ])
  expect(listDayActions(row, { is_office: false, permissions: ['periods.do', 'results.do'] }, afterDraw!)).toEqual([])
})

test('keys and filters', () => {
  expect([actionOfKey('C'), actionOfKey('v'), actionOfKey('x')]).toEqual(['close', 'void', undefined])
  expect(isInFilter(makeRow('closed', 'none'), 'due')).toBe(true)
  expect(isInFilter({ ...makeRow('open', 'none'), alerts: ['maintenance'] }, 'alerts')).toBe(true)
  expect(isInFilter(makeRow('open', 'none'), 'alerts')).toBe(false)
})

test('what is to be watched now is open, awaits something or has an alert', () => {
  const isNow = (row: DayPeriod) => isInFilter(row, 'now')
  expect(isNow(makeRow('open', 'none'))).toBe(true)
  expect(isNow(makeRow('closed', 'settling'))).toBe(true)
  expect(isNow(makeRow('settled', 'correction_one_of_two'))).toBe(true)
  expect(isNow({ ...makeRow('settled', 'settled'), alerts: ['book_differs'] })).toBe(true)
  for (const [status, result] of [
    ['upcoming', 'none'],
    ['settled', 'settled'],
    ['void', 'void'],
  ] as const)
    expect(isNow(makeRow(status, result))).toBe(false)
})

test('what is wrong stands first among what is to be watched now, and by close in any other part', () => {
  const calm = makeRow('open', 'none')
  const wrong: DayPeriod = { ...calm, alerts: ['quota_nearly_used'] }
  const done = makeRow('settled', 'settled')
  expect(listDayRows([calm, done, wrong, calm], 'now')).toEqual([wrong, calm, calm])
  expect(listDayRows([calm, done, wrong], 'open')).toEqual([calm, wrong])
  expect(listDayRows([calm, done, wrong], 'all')).toEqual([calm, done, wrong])
})
