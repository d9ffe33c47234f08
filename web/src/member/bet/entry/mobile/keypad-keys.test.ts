// Goal: a sequence of keys makes exactly the bet that its writer meant. No amount becomes a number, no number an amount, and no
// column is bet on unasked.

import { expect, test } from 'vitest'
import { appendRows } from '../../slip/slip-lines.ts'
import { growRows, isEmptyRow, removeRow, setCell } from '../../slip/slip-rows.ts'
import type { SlipRow } from '../../slip/slip-rows.ts'
import type { Prices } from '../price-memory.ts'
import { availableColumns, chipColumn, onSlip, pressKey, START } from './keypad-keys.ts'
import type { KeypadKey, KeypadState } from './keypad-keys.ts'

const offered = ['3top', '3roll', '2top', '2bottom', '2roll', '1top', '1bottom'] as const

/** `[50]` is a quick price, `<bottom>` a tap on a column, `>` and `#` are the screen's keys to the next price and number. */
function keysOf(text: string): readonly KeypadKey[] {
  return (text.match(/\[\d+\]|<\w+>|./g) ?? []).map((one): KeypadKey => {
    if (one.startsWith('[')) return { kind: 'price', baht: Number(one.slice(1, -1)) }
    if (/^<\d>$/.test(one)) return { kind: 'digit_count', digits: Number(one[1]) as 1 | 2 | 3 }
    if (one === '<reverse>') return { kind: 'shortcut', shortcut: 'reverse' }
    if (one.startsWith('<')) return { kind: 'slot', column: one.slice(1, -1) as 'top' }
    if (/\d/.test(one)) return { kind: 'digits', digits: one }
    const named = { '>': 'price_key', '#': 'number_key', '⌫': 'erase', '⏎': 'enter' } as const
    return { kind: named[one as '>'] ?? 'sign' }
  })
}

interface Pressed {
  state: KeypadState
  rows: readonly SlipRow[]
  refusals: readonly (string | null)[]
}

function press(text: string, prices: Prices = {}): Pressed {
  let pressed: Pressed = { state: { ...START, prices }, rows: growRows([]), refusals: [] }
  for (const key of keysOf(text)) {
    const { state, rows, refusal } = pressKey(pressed.state, pressed.rows, key, offered)
    pressed = { state, rows, refusals: refusal === null ? pressed.refusals : [...pressed.refusals, refusal] }
  }
  return pressed
}

/** The slip as "number top/bottom/roll", and the digits left of a number. */
function slip(text: string, prices: Prices = {}): string {
  return textOf(press(text, prices))
}

function textOf({ rows, state }: Pick<Pressed, 'rows' | 'state'>): string {
  const filled = rows.filter((row) => !isEmptyRow(row))
  const lines = filled.map(({ number, top, bottom, roll }) => `${number} ${top}/${bottom}/${roll}`)
  return [...lines, ...(state.number === '' ? [] : [`…${state.number}`])].join(', ')
}

const both: Prices = { top: '20', bottom: '20' }

type Case = readonly [keys: string, prices: Prices, expected: string, meaning: string]

test.each<Case>([
  ['47', {}, '47 //', 'a number without a price waits for one'],
  ['47[50]', {}, '47 50//', 'a quick price goes to the top first'],
  ['47[50][20]', both, '47 50/20/', 'two quick prices go to the two columns that have one'],
  ['47[50][20]12', both, '47 50/20/, 12 50/20/', 'the next number takes the prices that stand'],
  ['47[50][100]', { top: '20' }, '47 100//', 'with one column a second quick price corrects the first'],
  ['47[50]12[100]', both, '47 50/20/, 12 100/20/', 'after a number the quick prices begin at the top'],
  ['47[50]<bottom>[20]12', {}, '47 50/20/, 12 50/20/', 'a tap on a column gives it a price of its own'],
  ['47<bottom>30#12', both, '47 20/30/, 12 20/30/', 'digits in a tapped column replace its price alone'],
  ['47<bottom>⌫#12', both, '47 20//, 12 20//', 'an erased price is no bet'],
  ['47<bottom>⌫<top>⌫', both, '47 //', 'without any price the number waits'],
  ['47<top><top>50#', {}, '47 50//', 'a second tap on the column stays in it'],
  ['<bottom>5#47', {}, '47 /5/', 'the bottom alone'],
  ['47>50>30#12', both, '47 50/30/, 12 50/30/', 'the key to the next price leads from column to column'],
  ['47>50>>>12', both, '47 50/20/, 12 50/20/', 'and behind the last one to the number'],
  ['124[50]7', both, '12 20/20/, 47 50/20/', 'a price between the digits changes no earlier number'],
  ['1247', both, '12 20/20/, 47 20/20/', 'two digits a number'],
  ['474⌫⌫', both, '47 20/20/', 'digits are erased one by one, and no row'],
  ['<3>123', { top: '20', bottom: '30', roll: '10' }, '123 20//10', 'a column the number has not is not bet on'],
  ['<1>7', { top: '20', bottom: '30', roll: '10' }, '7 20/30/', 'one digit has no roll'],
  ['<reverse>12[50]', { top: '20', roll: '5' }, '12 50//5, 21 50//', 'a changed price changes all numbers of an entry'],
])('%s at %o: %s, %s', (keys, prices, expected) => {
  expect(slip(keys, prices)).toBe(expected)
})

const standing: Prices = { top: '20', bottom: '20', roll: '5' }

test.each([
  ['47=50*20⏎', '47 50/20/'],
  ['47+50+20⏎12', '47 50/20/, 12 50/20/'],
  ['47 50 20⏎12', '47 50/20/, 12 50/20/'],
  ['47=50⏎12=30⏎', '47 50//, 12 30//'],
  ['47=0*50⏎12', '47 /50/, 12 /50/'],
  ['47==50**20⏎', '47 50/20/'],
  ['47=⏎12', '47 20/20/5, 12 20/20/5'],
  ['47⏎50⏎20⏎⏎12', '47 50/20/, 12 50/20/'],
  ['47⏎⏎12', '47 20/20/5, 12 20/20/5'],
])('%s typed on a keyboard over standing prices: %s', (keys, expected) => {
  expect(slip(keys, standing)).toBe(expected)
})

test('amounts typed after a number without a price are its amounts', () => {
  expect(slip('4750⏎20⏎⏎12')).toBe('47 50/20/, 12 50/20/')
  expect(slip('47=50*20⏎12')).toBe('47 50/20/, 12 50/20/')
  expect(slip('4750#12')).toBe('47 50//, 12 50//')
})

test('an amount behind the last column is refused, and becomes neither number nor price', () => {
  const typed = press('47=50*20*5*9⏎')
  expect(slip('47=50*20*5*9')).toBe('47 50/20/5')
  expect(typed.refusals).toEqual(['too_many_columns', 'too_many_columns'])
  expect(typed.state.slot).toBe('number')
})

test('a sign after a number that is not complete is refused', () => {
  expect(press('4=').refusals).toEqual(['too_few_digits'])
  expect(slip('4=7', both)).toBe('47 20/20/')
})

test('a price holds seven digits', () => {
  expect(press('<top>12345678').state.prices).toEqual({ top: '1234567' })
})

test('a number taken off the slip is not put on it again by a price', () => {
  const { state } = press('47', both)
  const { rows } = pressKey(state, growRows([]), { kind: 'price', baht: 50 }, offered)
  expect(rows.every(isEmptyRow)).toBe(true)
})

test('prices of one number are undone together, and another number apart from them', () => {
  const { state, rows } = press('47', both)
  const first = pressKey(state, rows, { kind: 'price', baht: 50 }, offered)
  const second = pressKey(first.state, first.rows, { kind: 'price', baht: 30 }, offered)
  expect([first.mark, second.mark]).toEqual(['keypad 47', 'keypad 47'])
  expect(pressKey(second.state, second.rows, { kind: 'digits', digits: '1' }, offered).mark).toBeNull()
})

/** The slip beside the keypad: keys, and what else changes it, with the undo of the whole page. */
function makeSlip(prices: Prices = {}) {
  let state: KeypadState = { ...START, prices }
  let rows = growRows([])
  let past: (readonly SlipRow[])[] = []
  let pastMark: string | null = null
  const edit = (after: readonly SlipRow[], mark: string | null = null): void => {
    if (after === rows) return
    if (mark === null || mark !== pastMark) past = [...past, rows]
    rows = after
    pastMark = mark
  }
  const page = {
    keys: (text: string) => {
      for (const key of keysOf(text)) {
        const step = pressKey(state, rows, key, offered)
        edit(step.rows, step.mark)
        state = step.state
      }
      return page
    },
    undo: () => {
      rows = past.at(-1)!
      past = past.slice(0, -1)
      pastMark = null
      state = onSlip(state, rows)
      return page
    },
    edit: (change: (rows: readonly SlipRow[]) => readonly SlipRow[]) => {
      edit(change(rows))
      state = onSlip(state, rows)
      return page
    },
    remove: (number: string) => page.edit((all) => removeRow(all, all.find((row) => row.number === number)!.id)),
    add: (number: string, top: string) => page.edit((all) => appendRows(all, [{ number, top }])),
    text: () => textOf({ rows, state }),
    prices: () => state.prices,
  }
  return page
}

test('an undone price neither stands for the next number nor grows', () => {
  expect(makeSlip().keys('47500').undo().prices()).toEqual({})
  // Defect: 47 was bet at 50,020.
  expect(makeSlip().keys('47500').undo().keys('20').text()).toBe('47 //, 20 //')
  expect(makeSlip(both).keys('47[50][30]').undo().prices()).toEqual(both)
})

test('each undo brings back the prices that stood before', () => {
  // Defect: 50 still stood after the second undo.
  const page = makeSlip().keys('4750#12').undo()
  expect(page.prices()).toEqual({ top: '50' })
  expect(page.undo().prices()).toEqual({})
  expect(page.keys('33').text()).toBe('47 //, 33 //')
})

test('an undone price does not come back with a later change', () => {
  expect(makeSlip().keys('47500').undo().add('99', '5').prices()).toEqual({})
})

test('after an undo digits begin a number, with the prices given before', () => {
  expect(makeSlip(both).keys('1250').undo().keys('7').text()).toBe('12 20/20/, …7')
  expect(makeSlip({ top: '50' }).keys('12').undo().keys('7').prices()).toEqual({ top: '50' })
})

test('a price changes no row that came in the place of the last number', () => {
  // Defect: 99 vanished, and the undone 47 was bet at 100.
  const page = makeSlip({ top: '50' }).keys('1247').undo().add('99', '500').keys('[100]')
  expect(page.text()).toBe('12 50//, 99 500//')
  expect(page.keys('33').text()).toBe('12 50//, 99 500//, 33 100//')
})

test('a price brings no row back that was taken off, and changes none that was changed by hand', () => {
  const reversed = () => makeSlip({ top: '50' }).keys('<reverse>47')
  // Defects: 74 was back at 100; 74 at 5 became 47 at 100.
  expect(reversed().remove('74').keys('[100]').text()).toBe('47 50//')
  expect(
    reversed()
      .edit((rows) => setCell(rows, 1, 'top', '5'))
      .keys('[100]')
      .text(),
  ).toBe('47 50//, 74 5//')
})

test('after the last number was taken off, digits begin a number', () => {
  expect(makeSlip().keys('47').remove('47').keys('48').text()).toBe('48 //')
  expect(makeSlip().keys('4750').remove('47').keys('48').text()).toBe('48 50//')
})

test('a number that waits for its price still gets it after another one was taken off', () => {
  expect(makeSlip().add('33', '5').keys('47').remove('33').keys('50').text()).toBe('47 50//')
})

test('after the slip was sent, digits begin a number', () => {
  expect(
    makeSlip()
      .keys('4750')
      .edit(() => growRows([]))
      .keys('12')
      .text(),
  ).toBe('12 50//')
  expect(
    makeSlip()
      .keys('<bottom>5')
      .edit(() => growRows([]))
      .keys('12')
      .text(),
  ).toBe('12 /5/')
})

test('it is shown where the next quick price goes', () => {
  const next = (text: string, prices: Prices): unknown => {
    const { state } = press(text, prices)
    return chipColumn(state, availableColumns(state, offered))
  }
  expect(next('47', {})).toBe('top')
  expect(next('47', { bottom: '20' })).toBe('bottom')
  expect(next('47[50]', both)).toBe('bottom')
  expect(next('47[50][20]', both)).toBe('top')
  expect(next('47[50]12', both)).toBe('top')
})
