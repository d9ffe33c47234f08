import type { BetTypeTerms, SlipContext } from '@megalot/rules'
import { expect, test } from 'vitest'
import { checkRows } from './slip-check.ts'
import { growRows } from './slip-rows.ts'
import type { SlipRow } from './slip-rows.ts'

const offered = ['3top', '3roll', '2top', '2bottom', '2roll', '1top', '1bottom'] as const
const terms = offered.map((bet_type): BetTypeTerms => ({
  bet_type,
  rate: 7000,
  discount_rate: 2800,
  min_satang: 500,
  max_satang: 300_000,
  max_per_number_satang: 300_000,
  is_on: true,
}))
const context: SlipContext = { terms, offered, credit_remain_satang: 100_000_00, max_items: 500, is_open: true }

function rowsOf(...typed: readonly Partial<SlipRow>[]): readonly SlipRow[] {
  return growRows(typed.map((row, id) => ({ id, number: '', top: '', bottom: '', roll: '', front: '', ...row })))
}

test('a good row says what it costs after discount', () => {
  const check = checkRows(rowsOf({ number: '12', top: '50', bottom: '50', front: '99' }), context)
  expect(check.lines.map(({ bet_type, bet_satang }) => [bet_type, bet_satang])).toEqual([
    ['2top', 5000],
    ['2bottom', 5000],
  ])
  expect(check.row_states[0]).toEqual({ kind: 'good', problem: null, satang: 7200, columns: '', room_satang: 295_000 })
  expect(check.row_states[1]?.kind).toBe('empty')
  expect(check.is_acceptable).toBe(true)
})

test('a problem stands beside its row and names its columns and limit', () => {
  const check = checkRows(rowsOf({ number: '123', top: '3', roll: '4' }, { number: '1', top: '9999' }), context)
  expect(check.row_states[0]).toMatchObject({ kind: 'bad', problem: 'under_min', satang: 500, columns: 'top roll' })
  expect(check.row_states[1]).toMatchObject({ kind: 'bad', problem: 'over_max', satang: 300_000 })
  expect(check.is_acceptable).toBe(false)
})

test('duplicates only warn, a number without an amount is not a line yet', () => {
  const check = checkRows(rowsOf({ number: '12', top: '5' }, { number: '12', top: '5' }, { number: '34' }), context)
  expect(check.row_states.slice(0, 3).map(({ kind }) => kind)).toEqual(['warn', 'warn', 'no_amount'])
  expect(check.is_acceptable).toBe(true)
})

test('an empty slip is refused as a whole', () => {
  expect(checkRows(rowsOf(), context).slip_problems.map(({ code }) => code)).toEqual(['no_number'])
})

test('what cannot be read is marked in its row, is no line of the ticket, and keeps the slip from being sent', () => {
  const check = checkRows(
    rowsOf(
      { number: '12', top: '50', bottom: '10.50', roll: '-5' },
      { number: '1234', top: '50' },
      { number: '12a4', top: '10.5' },
      { number: '13', top: '10000000' },
      { number: '14', top: '1,000.00' },
    ),
    { ...context, terms: terms.map((one) => ({ ...one, max_satang: 1_000_000, max_per_number_satang: 1_000_000 })) },
  )
  expect(check.lines.map(({ number, bet_satang }) => [number, bet_satang])).toEqual([
    ['12', 5000],
    ['14', 100_000],
  ])
  expect(check.row_states.slice(0, 5).map(({ kind, problem, columns }) => [kind, problem, columns])).toEqual([
    ['bad', 'amount_form', 'bottom roll'],
    ['bad', 'number_form', 'number'],
    ['bad', 'number_form', 'number'],
    ['bad', 'amount_too_large', 'top'],
    ['good', null, ''],
  ])
  expect(check.cell_problems).toEqual(['amount_form', 'number_form', 'amount_too_large'])
  expect(check.is_acceptable).toBe(false)
})

test('an amount of 0 is none', () => {
  expect(checkRows(rowsOf({ number: '12', top: '0' }), context).row_states[0]?.kind).toBe('no_amount')
})
