// Goal: no key of the bet page means two things, the help shows every key, and a key press starts what the help says.

import { expect, test } from 'vitest'
import { messages as english } from '../entry/entry.en.ts'
import { messages as thai } from '../entry/entry.th.ts'
import { findClashes, findKeyAction, keyBindings } from './key-bindings.ts'
import type { KeyPress } from './key-bindings.ts'

const plain: KeyPress = { key: '', code: '', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false }
const press = (change: Partial<KeyPress>): KeyPress => ({ ...plain, ...change })

test('no two bindings clash', () => {
  expect(findClashes(keyBindings)).toEqual([])
})

test.each([
  ['the same keys in the help', { scope: 'page', action: 'copy', shown: ['Alt', 'S'], chord: null }],
  ['the same chord', { scope: 'grid', action: 'copy', shown: ['Alt', 's'], chord: { code: 'KeyS', modifier: 'alt' } }],
  [
    'a chord that takes Shift or none beside one without',
    { scope: 'grid', action: 'redo', shown: ['Ctrl', 'Y'], chord: { code: 'KeyZ', modifier: 'control' } },
  ],
] as const)('a clash is found: %s', (_name, added) => {
  expect(findClashes([...keyBindings, added])).toHaveLength(1)
})

test('a chord with Shift beside one without is no clash', () => {
  const redo = { code: 'KeyZ', modifier: 'control', isShift: true } as const
  const added = { scope: 'page', action: 'redo', shown: ['Ctrl', 'Shift', 'Z'], chord: redo } as const
  expect(findClashes([...keyBindings, added])).toEqual([])
})

test('every action has its text in the help, in both languages, and no text is left over', () => {
  const actions = keyBindings.map(({ action }) => action)
  expect(Object.keys(english.help.key).toSorted()).toEqual(actions.toSorted())
  expect(Object.keys(thai.help.key).toSorted()).toEqual(actions.toSorted())
})

test.each([
  ['send', press({ key: 'Enter', code: 'Enter', ctrlKey: true })],
  ['send', press({ key: 'Enter', code: 'Enter', metaKey: true })],
  ['undo', press({ key: 'ผ', code: 'KeyZ', ctrlKey: true })],
  ['style', press({ key: 'ß', code: 'KeyS', altKey: true })],
  ['import', press({ key: 'i', code: 'KeyI', altKey: true })],
  ['first_cell', press({ key: 'n', code: 'KeyN', altKey: true })],
  ['help', press({ key: '?', code: 'Slash', shiftKey: true })],
] as const)('%s', (action, event) => {
  expect(findKeyAction('page', event)).toBe(action)
  expect(findKeyAction('grid', event)).toBeNull()
})

test.each([
  ['reverse', press({ key: '®', code: 'KeyR', altKey: true })],
  ['remove', press({ key: 'Delete', code: 'Delete', ctrlKey: true })],
] as const)('in the grid: %s', (action, event) => {
  expect(findKeyAction('grid', event)).toBe(action)
  expect(findKeyAction('page', event)).toBeNull()
})

test.each([
  press({ key: 'Enter' }),
  press({ key: 's', code: 'KeyS' }),
  press({ key: 's', code: 'KeyS', altKey: true, ctrlKey: true }),
  press({ key: 'z', code: 'KeyZ', ctrlKey: true, shiftKey: true }),
])('a key without an action starts none', (event) => {
  expect(findKeyAction('page', event)).toBeNull()
})

test('in a text what writes a sign or undoes typing stays with the text, and the ticket can be sent', () => {
  expect(findKeyAction('page', press({ key: '?', shiftKey: true }), true)).toBeNull()
  expect(findKeyAction('page', press({ key: 'z', code: 'KeyZ', ctrlKey: true }), true)).toBeNull()
  expect(findKeyAction('page', press({ key: 'Enter', ctrlKey: true }), true)).toBe('send')
})
