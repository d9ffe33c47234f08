// Goal: the examples show what the words beside them say.

import { betTypeCodes, entryModes, expandEntry, readImportText } from '@megalot/rules'
import { expect, test } from 'vitest'
import { importSamples, jubwinExamples, jubwinMode, listQuotaExamples, sampleInputs } from './worked-examples.ts'

test('a number is free, nearly full, full and closed as it is called', () => {
  const seen = listQuotaExamples().map(({ name, state, is_half_pay, is_closed }) => [
    name,
    state,
    is_half_pay,
    is_closed,
  ])
  expect(seen).toEqual([
    ['free', null, false, false],
    ['nearly_full', 'yellow', false, false],
    ['full', 'half', true, false],
    ['closed', 'grey', false, true],
  ])
})

test('every entry mode makes numbers of its sample, and every option of jubwin other ones', () => {
  for (const mode of entryModes) expect(expandEntry(mode, sampleInputs[mode.code])).not.toHaveLength(0)
  const counts = jubwinExamples.map(({ options }) => {
    const chosen = Object.fromEntries(options.map((code) => [code, true]))
    return expandEntry(jubwinMode, sampleInputs.jubwin_3d, chosen).length
  })
  expect(counts).toEqual([6, 27, 21, 21, 21, 1, 10])
})

test('the lines of text are read as they are called', () => {
  const seen = Object.fromEntries(
    importSamples.map(({ name, text }) => {
      const { items, errors, dropped } = readImportText(text, { offered: betTypeCodes })
      return [name, errors[0]?.code ?? (dropped.length > 0 ? 'dropped' : items.length)]
    }),
  )
  expect(seen).toEqual({
    columns: 2,
    blank: 2,
    run: 1,
    table: 1,
    thai: 1,
    nineteen: 38,
    six: 6,
    ends: 2,
    letters: 'dropped',
    decimals: 'unclear_amount',
    thousands: 'unclear_amount',
    doors: 'bad_doors',
    x_between: 'misplaced_x',
    too_many: 'too_many_columns',
  })
})
