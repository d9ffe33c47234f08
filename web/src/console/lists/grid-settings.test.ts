import { expect, test } from 'vitest'
import { parseStored, writeStored } from '../../lib/device/stored-value.ts'
import { gridSettingsForm } from './grid-settings.ts'

const read = (stored: unknown) => parseStored(gridSettingsForm, JSON.stringify({ state: stored, version: 1 }))

test('settings are read as they were stored', () => {
  const settings = { columns: ['a', 'b'], views: [{ name: 'mine', search: { sort: 'a.asc' } }] }
  expect(parseStored(gridSettingsForm, writeStored(gridSettingsForm, settings))).toEqual(settings)
})

test.each([null, 'x', 7, []])('%j is no settings', (stored) => {
  expect(read(stored)).toBeNull()
})

test.each([{ columns: 'a', views: 'b' }, { views: [{ name: 7, search: {} }, { name: 'x' }, null] }])(
  'of %j nothing makes sense',
  (stored) => {
    expect(read(stored)).toEqual({ columns: null, views: [] })
  },
)

test('of a view only texts are kept', () => {
  expect(read({ views: [{ name: 'x', search: { a: 'b', c: 1 } }] })?.views).toEqual([{ name: 'x', search: { a: 'b' } }])
})
