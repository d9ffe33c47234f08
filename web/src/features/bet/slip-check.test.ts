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
  expect(check.row_states[0]).toEqual({ kind: 'good', problem: null, satang: 7200, columns: '' })
  expect(check.row_states[1]?.kind).toBe('empty')
  expect(check.is_acceptable).toBe(true)
})

test('a problem stands beside its row and names its columns and limit', () => {
  const check = checkRows(rowsOf({ number: '123', top: '3', roll: '4' }, { number: '1', top: '9999' }), context)
  expect(check.row_states[0]).toEqual({ kind: 'bad', problem: 'under_min', satang: 500, columns: 'top roll' })
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
