// Goal: a checker that remembers unchanged rows says after any edits exactly what a check from nothing says, and keeps what
// has not changed as the same objects.

import { checkSlip } from '@megalot/rules'
import type { BetTypeCode, BetTypeTerms, NumberState, PerNumber, SlipContext, SlipProblem } from '@megalot/rules'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkRows, createSlipChecker } from './slip-check.ts'
import { columns } from './slip-columns.ts'
import type { Column } from './slip-columns.ts'
import { growRows, insertRows, removeRow, setCell } from './slip-rows.ts'
import type { SlipRow } from './slip-rows.ts'

const offered: readonly BetTypeCode[] = ['3top', '3roll', '2top', '2bottom', '2roll', '1top', '1bottom']
const terms = offered.map((bet_type): BetTypeTerms => ({
  bet_type,
  rate: 7000,
  discount_rate: 2800,
  min_satang: 500,
  max_satang: 30_000,
  max_per_number_satang: 40_000,
  // One that the market offers and the package does not.
  is_on: bet_type !== '1bottom',
}))
const states: PerNumber<NumberState> = { '2top': { '12': 'grey', '21': 'yellow' }, '2roll': { '12': 'half' } }
const context: SlipContext = { terms, offered, credit_remain_satang: 60_000, max_items: 12, is_open: true }
const contexts: readonly SlipContext[] = [
  context,
  { ...context, terms: null },
  { ...context, number_states: states },
  { ...context, is_open: false, credit_remain_satang: 1_000 },
  { ...context, offered: offered.slice(0, 3) },
]

type Edit =
  | { kind: 'type'; row: number; column: Column; text: string }
  | { kind: 'remove'; row: number }
  | { kind: 'insert'; row: number; numbers: readonly string[] }
  | { kind: 'keep'; names: readonly string[] }
  | { kind: 'context'; index: number }

// Few numbers, so that many lines share one.
const anyNumber = fc.constantFrom('', '1', '12', '21', '123', '321', '12a', '1234')
const anyText = fc.oneof(
  anyNumber,
  fc.constantFrom('5', '4', '100', '250', '400', '0', '1,000', '5.5', '-', '10000000'),
)
const anyRow = fc.integer({ min: 0, max: 30 })
const anyEdit: fc.Arbitrary<Edit> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('type' as const),
      row: anyRow,
      column: fc.constantFrom(...columns),
      text: anyText,
    }),
  },
  fc.record({ kind: fc.constant('remove' as const), row: anyRow }),
  fc.record({ kind: fc.constant('insert' as const), row: anyRow, numbers: fc.array(anyNumber, { maxLength: 4 }) }),
  fc.record({ kind: fc.constant('keep' as const), names: fc.subarray(['2top 12', '2roll 12', '3roll 123', '1top 1']) }),
  fc.record({ kind: fc.constant('context' as const), index: fc.integer({ min: 0, max: contexts.length - 1 }) }),
)

function isNoDuplicate({ code }: SlipProblem): boolean {
  return code !== 'duplicate'
}

function editRows(rows: readonly SlipRow[], edit: Edit): readonly SlipRow[] {
  switch (edit.kind) {
    case 'type':
      return setCell(rows, edit.row % rows.length, edit.column, edit.text)
    case 'remove':
      return removeRow(rows, rows[edit.row % rows.length]!.id)
    case 'insert':
      return insertRows(
        rows,
        edit.row % rows.length,
        edit.numbers.map((number) => ({ number, top: '100', roll: '5' })),
      )
    default:
      return rows
  }
}

test('after any edits the check is that of the whole slip', () => {
  fc.assert(
    fc.property(fc.array(anyEdit, { minLength: 1, maxLength: 40 }), (edits) => {
      const check = createSlipChecker()
      let rows = growRows([])
      let given = context
      let kept: readonly string[] = []
      for (const edit of edits) {
        rows = editRows(rows, edit)
        if (edit.kind === 'context') given = contexts[edit.index]!
        if (edit.kind === 'keep') kept = edit.names
        const checked = check(rows, given, kept)
        expect(checked).toEqual(checkRows(rows, given, kept))
        const { totals, problems } = checkSlip(checked.lines, given)
        expect(checked.totals).toEqual(totals)
        // Kept duplicates are the member's own decision, of which the rules know nothing.
        expect(checked.problems.filter(isNoDuplicate)).toEqual(problems.filter(isNoDuplicate))
      }
    }),
    { numRuns: 300 },
  )
})

test('what a key does not change stays the same object', () => {
  const check = createSlipChecker()
  const filled = ['12', '34', '56'].map((number) => ({ number, top: '5' }))
  const rows = insertRows(growRows([]), 0, filled)
  const before = check(rows, context)
  const after = check(setCell(rows, 1, 'top', '50'), context)
  expect(after.row_states[0]).toBe(before.row_states[0])
  expect(after.row_states[1]).not.toBe(before.row_states[1])
  expect(after.lines[0]).toBe(before.lines[0])
  expect(after.duplicates).toBe(before.duplicates)
  expect(after.slip_problems).toBe(before.slip_problems)
})

test('rows that move keep the place of their lines', () => {
  const check = createSlipChecker()
  const filled = ['12', '34', '56'].map((number) => ({ number, top: '5' }))
  const rows = insertRows(growRows([]), 0, filled)
  check(rows, context)
  const after = check(removeRow(rows, rows[0]!.id), context)
  expect(after.lines.map(({ row, number }) => [row, number])).toEqual([
    [0, '34'],
    [1, '56'],
  ])
})
