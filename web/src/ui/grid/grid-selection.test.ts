import { expect, test } from 'vitest'
import { activateRow, activeIndexOf, noSelection, pressKey, toggleRow } from './grid-selection.ts'
import type { PressedKey, GridSelection } from './grid-selection.ts'

const keys = ['a', 'b', 'c', 'd', 'e']
const begin = noSelection
const keyOf = (name: string): PressedKey => {
  const parts = name.split('+')
  return {
    key: parts.at(-1) === 'Space' ? ' ' : parts.at(-1)!,
    shiftKey: parts.includes('Shift'),
    ctrlKey: parts.includes('Control'),
    metaKey: parts.includes('Meta'),
  }
}
/** Presses keys one after another; keys that the grid does not know change nothing. */
const press = (...names: readonly string[]): GridSelection =>
  names.reduce((state, name) => pressKey(state, keys, keyOf(name)) ?? state, begin)
const shown = (selection: GridSelection, rows = keys): string =>
  `${rows[activeIndexOf(selection, rows)]} ${[...selection.selected].join('')}`.trim()

test.each<[readonly string[], string]>([
  [['ArrowDown', 'ArrowDown'], 'c'],
  [['ArrowUp'], 'a'],
  [['End'], 'e'],
  [['End', 'ArrowDown'], 'e'],
  [['PageDown'], 'e'],
  [['End', 'Home'], 'a'],
  [['Space'], 'a a'],
  [['Space', 'Space'], 'a'],
  [['Space', 'ArrowDown', 'ArrowDown', 'Space'], 'c ac'],
  [['ArrowDown', 'Shift+ArrowDown', 'Shift+ArrowDown'], 'd bcd'],
  [['ArrowDown', 'Shift+ArrowDown', 'Shift+ArrowDown', 'Shift+ArrowUp'], 'c bc'],
  [['ArrowDown', 'Shift+ArrowUp'], 'a ab'],
  [['ArrowDown', 'Space', 'ArrowDown', 'ArrowDown', 'Shift+Space'], 'd d'],
  [['ArrowDown', 'Shift+End'], 'e bcde'],
  [['Control+a'], 'a abcde'],
  [['Control+a', 'Escape'], 'a'],
])('%j leads to %s', (names, expected) => {
  expect(shown(press(...names))).toBe(expected)
})

test.each(['x', 'Tab', 'Control+c', 'Meta+ArrowDown', 'Escape'])('%s is left to the browser', (name) => {
  expect(pressKey(begin, keys, keyOf(name))).toBeNull()
})

test('a grid without rows knows no key', () => {
  expect(pressKey(begin, [], keyOf('ArrowDown'))).toBeNull()
})

test('the active row stays active wherever it has moved to', () => {
  const third = activateRow(begin, keys, 2)
  for (const rows of [
    ['x', 'a', 'b', 'c'],
    ['c', 'b', 'a'],
    ['b', 'c', 'd'],
  ]) {
    expect(shown(third, rows)).toBe('c')
    expect(shown(pressKey(third, rows, keyOf('Space'))!, rows)).toBe('c c')
  }
  expect(shown(pressKey(third, ['x', 'a', 'b', 'c', 'd'], keyOf('ArrowDown'))!, ['x', 'a', 'b', 'c', 'd'])).toBe('d')
})

test('where the active row is gone, the row in its place is the active one, or the last', () => {
  const third = activateRow(begin, keys, 2)
  expect(shown(third, ['a', 'b', 'd', 'e'])).toBe('d')
  expect(shown(third, ['a', 'b'])).toBe('b')
  expect(activeIndexOf(third, [])).toBe(-1)
  expect(shown(pressKey(third, ['a', 'b'], keyOf('ArrowUp'))!, ['a', 'b'])).toBe('a')
})

test('before a row was active the first is, also after rows have come before it', () => {
  expect(shown(begin, ['x', ...keys])).toBe('x')
})

test('a range begins at the same row after the list has moved, and is one row where that is gone', () => {
  const second = activateRow(begin, keys, 1)
  const rows = ['x', 'y', 'a', 'b', 'c', 'd']
  expect(shown(toggleRow(second, rows, 5, true), rows)).toBe('d bcd')
  expect(shown(toggleRow(second, ['a', 'c', 'd'], 2, true), ['a', 'c', 'd'])).toBe('d d')
})

test('a click with shift selects from the last click on', () => {
  const first = toggleRow(begin, keys, 1, false)
  expect(shown(toggleRow(first, keys, 3, true))).toBe('d bcd')
})
