import { expect, test } from 'vitest'
import { pressKey, toggleRow } from './grid-selection.ts'
import type { GridKey, GridSelection } from './grid-selection.ts'

const keys = ['a', 'b', 'c', 'd', 'e']
const begin: GridSelection = { active: 0, anchor: 0, selected: new Set() }
const keyOf = (name: string): GridKey => {
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
const shown = ({ active, selected }: GridSelection): string => `${keys[active]} ${[...selected].join('')}`.trim()

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

test('a list that has become shorter keeps the focus within it', () => {
  expect(pressKey({ ...begin, active: 9 }, ['a', 'b'], keyOf('ArrowDown'))).toMatchObject({ active: 1 })
})

test('a click with shift selects from the last click on', () => {
  const first = toggleRow(begin, keys, 1, false)
  expect(shown(toggleRow(first, keys, 3, true))).toBe('d bcd')
})
