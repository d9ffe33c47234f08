import { expect, test } from 'vitest'
import { parseStored, writeStored } from '../../lib/device/stored-value.ts'
import { shownColumnsForm } from './shown-columns.ts'

const read = (stored: unknown) => parseStored(shownColumnsForm, JSON.stringify({ state: stored, version: 1 }))

test('columns are read as they were stored', () => {
  const chosen = { columns: ['a', 'b'] }
  expect(parseStored(shownColumnsForm, writeStored(shownColumnsForm, chosen))).toEqual(chosen)
})

test.each([null, 'x', 7, []])('%j is no settings', (stored) => {
  expect(read(stored)).toBeNull()
})

test('what makes no sense is left out', () => {
  expect(read({ columns: 'a', views: 'b' })).toEqual({ columns: null })
})
