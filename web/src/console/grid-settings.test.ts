import { expect, test } from 'vitest'
import { readGridSettings } from './grid-settings.ts'

test('settings are read as they were stored', () => {
  const settings = { columns: ['a', 'b'], views: [{ name: 'mine', search: { sort: 'a.asc' } }] }
  expect(readGridSettings(JSON.parse(JSON.stringify(settings)))).toEqual(settings)
})

test.each([null, 'x', 7, [], { columns: 'a', views: 'b' }, { views: [{ name: 7, search: {} }, { name: 'x' }, null] }])(
  '%j is no settings',
  (stored) => {
    expect(readGridSettings(stored)).toEqual({ columns: null, views: [] })
  },
)

test('of a view only texts are kept', () => {
  expect(readGridSettings({ views: [{ name: 'x', search: { a: 'b', c: 1 } }] }).views).toEqual([
    { name: 'x', search: { a: 'b' } },
  ])
})
