// The keypad as a machine: every key turns its state and the rows of the slip into the next ones. A number is taken onto the
// slip at its last digit, with the prices that stand. A price given after it changes that number and the following ones, as long as
// its rows are on the slip as the keypad left them.

import { entryModes, stakeColumns } from '@megalot/rules'
import type { BetTypeCode, EntryModeCode, StakeColumn } from '@megalot/rules'
import { appendRows, readStakes, rowsOfLines } from '../../slip/slip-lines.ts'
import type { NewRow } from '../../slip/slip-lines.ts'
import { isEmptyRow } from '../../slip/slip-rows.ts'
import type { SlipRow } from '../../slip/slip-rows.ts'
import { columnsOf, linesOf, numbersOf } from '../entry.ts'
import type { Digits, Entry } from '../entry.ts'
import type { Prices } from '../price-memory.ts'

export type Shortcut = 'none' | 'reverse' | EntryModeCode

/** Reversing, and the modes that ask for a number. The other modes are in the sheet of formulas. */
export function shortcutsOf(digits: Digits): readonly Shortcut[] {
  if (digits === 1) return []
  const modes = entryModes.filter((mode) => mode.digits === digits && mode.input.kind === 'number')
  return ['reverse', ...modes.map(({ code }) => code)]
}

export interface KeypadState {
  digits: Digits
  shortcut: Shortcut
  /** The digits typed of a number that is not complete yet. */
  number: string
  prices: Prices
  /** Where digits go. */
  slot: 'number' | StakeColumn
  /** The column of the next quick price, unless a column is the slot. */
  next: StakeColumn | null
  /**
   * What the next digit does to the price of the slot: it is added to it, begins another one, or begins the amounts of a typed
   * line, which replace all prices. Behind the last column it is refused.
   */
  typing: 'on' | 'another' | 'line' | 'refused'
  /** The amounts are typed after a sign, as in 47=50*20: Enter ends them. */
  isLine: boolean
  /** The last entry, and the rows it became. Null once anything but the keypad has changed one of them. */
  last: { entry: Entry; rows: readonly SlipRow[] } | null
  /** The slip as the keypad last knew it. */
  slip: readonly SlipRow[]
}

/** Digits go to a number. */
const NEXT_NUMBER = { slot: 'number', next: null, typing: 'on', isLine: false } as const

export const START: KeypadState = {
  digits: 2,
  shortcut: 'none',
  number: '',
  prices: {},
  ...NEXT_NUMBER,
  last: null,
  slip: [],
}

export type KeypadKey =
  | { kind: 'digits'; digits: string }
  /** A quick price, in Baht. */
  | { kind: 'price'; baht: number }
  | { kind: 'slot'; column: StakeColumn }
  | { kind: 'digit_count'; digits: Digits }
  | { kind: 'shortcut'; shortcut: Shortcut }
  /**
   * `price`: to the next price, `number`: to the next number, as keys of the screen. `sign` (= * + and Space) and `enter`: the same
   * as keys of a keyboard.
   */
  | { kind: 'erase' | 'price_key' | 'number_key' | 'sign' | 'enter' }

export type KeypadRefusal = 'too_few_digits' | 'too_many_columns'

export interface KeypadStep {
  state: KeypadState
  rows: readonly SlipRow[]
  /** Changes of one number's prices are undone together. */
  mark: string | null
  refusal: KeypadRefusal | null
}

/** Seven digits, as a cell takes them. */
const PRICE_LENGTH = 7

function entryOf({ digits, shortcut, number }: KeypadState): Entry {
  const isMode = shortcut !== 'none' && shortcut !== 'reverse'
  const method = isMode ? shortcut : 'typed'
  return { digits, method, text: number, picked: [], isReversed: shortcut === 'reverse', options: {} }
}

/** How many digits make a number complete. */
export function lengthOf({ digits, shortcut }: KeypadState): number {
  return entryModes.find(({ code }) => code === shortcut)?.input.digits ?? digits
}

/** The columns that the next number can be bet on. */
export function availableColumns(state: KeypadState, offered: readonly BetTypeCode[]): readonly StakeColumn[] {
  return columnsOf(entryOf(state), offered)
}

/** Without a price the numbers stand on the slip and wait for one. */
function rowsFor(entry: Entry, prices: Prices, offered: readonly BetTypeCode[]): readonly NewRow[] {
  const lines = linesOf(entry, readStakes(prices) ?? {}, columnsOf(entry, offered), numbersOf(entry))
  return lines.length > 0 ? rowsOfLines(lines) : numbersOf(entry).map((number) => ({ number }))
}

/** The prices that stood while a slip was as it is here. An undo brings back the very same rows. */
const pricesAt = new WeakMap<readonly SlipRow[], Prices>()

/**
 * The keypad after anything else has changed the slip: the last number ends with that, and digits begin a number, unless its rows
 * are still there untouched. After an undo the prices stand that stood then.
 */
export function onSlip(state: KeypadState, slip: readonly SlipRow[]): KeypadState {
  const { last } = state
  if (slip === state.slip) return state
  const prices = pricesAt.get(slip)
  const known = new Set(slip)
  if (prices === undefined && last !== null && last.rows.every((row) => known.has(row))) return { ...state, slip }
  const number = prices === undefined ? state.number : ''
  return { ...state, slip, prices: prices ?? state.prices, number, ...NEXT_NUMBER, last: null }
}

/** The step of a key. */
export function pressKey(
  before: KeypadState,
  rows: readonly SlipRow[],
  key: KeypadKey,
  offered: readonly BetTypeCode[],
): KeypadStep {
  const state = onSlip(before, rows)
  const step = stepOf(state, rows, key, offered)
  pricesAt.set(rows, state.prices)
  pricesAt.set(step.rows, step.state.prices)
  return { ...step, state: { ...step.state, slip: step.rows } }
}

function stepOf(
  state: KeypadState,
  rows: readonly SlipRow[],
  key: KeypadKey,
  offered: readonly BetTypeCode[],
): KeypadStep {
  const available = availableColumns(state, offered)
  const stay = (refusal: KeypadRefusal | null = null): KeypadStep => ({ state, rows, mark: null, refusal })
  const to = (change: Partial<KeypadState>): KeypadStep => ({ ...stay(), state: { ...state, ...change } })
  const toNumber = (): KeypadStep => to(NEXT_NUMBER)
  const { slot, typing } = state
  switch (key.kind) {
    case 'digits':
      if (typing === 'refused') return stay('too_many_columns')
      return slot === 'number'
        ? typeNumber(state, rows, key.digits, offered)
        : typePrice(state, rows, key.digits, offered)
    case 'price':
      return takeQuickPrice(state, rows, key.baht, offered)
    case 'slot':
      return to({ slot: key.column, typing: 'another', isLine: false })
    case 'digit_count':
      return to({ ...toNumber().state, digits: key.digits, shortcut: 'none', number: '', last: null })
    case 'shortcut':
      return to({ shortcut: key.shortcut, number: '' })
    case 'erase':
      if (slot === 'number') return to({ number: state.number.slice(0, -1) })
      return setPrice(
        { ...state, typing: 'on' },
        rows,
        { ...state.prices, [slot]: typing === 'on' ? (state.prices[slot] ?? '').slice(0, -1) : '' },
        offered,
      )
    case 'number_key':
      return toNumber()
    case 'price_key': {
      const column = columnAfter(slot, available)
      return column === undefined ? toNumber() : to({ slot: column, typing: 'another', isLine: false })
    }
    case 'sign':
    case 'enter':
      break
  }
  if (slot === 'number') {
    if (state.number !== '') return stay('too_few_digits')
    const first = available[0]
    return first === undefined ? stay() : to({ slot: first, typing: 'line', isLine: key.kind === 'sign' })
  }
  const isUntyped = typing === 'another' || typing === 'line'
  // Several signs are one separator. The first one may follow a number that waits for its price.
  if (key.kind === 'sign' && isUntyped) return state.isLine ? stay() : to({ typing: 'line', isLine: true })
  const column = columnAfter(slot, available)
  if (key.kind === 'sign') {
    if (typing === 'refused' || column === undefined)
      return { ...to({ typing: 'refused' }), refusal: 'too_many_columns' }
    return to({ slot: column, typing: 'another', isLine: true })
  }
  if (state.isLine || isUntyped || typing === 'refused' || column === undefined) return toNumber()
  return to({ slot: column, typing: 'another' })
}

function columnAfter(slot: KeypadState['slot'], available: readonly StakeColumn[]): StakeColumn | undefined {
  return slot === 'number' ? available[0] : available[available.indexOf(slot) + 1]
}

function typeNumber(
  state: KeypadState,
  rows: readonly SlipRow[],
  digits: string,
  offered: readonly BetTypeCode[],
): KeypadStep {
  const number = (state.number + digits).slice(0, lengthOf(state))
  const typed = { ...state, number }
  if (number.length < lengthOf(state)) return { state: typed, rows, mark: null, refusal: null }
  const entry = entryOf(typed)
  const available = columnsOf(entry, offered)
  const after = appendRows(rows, rowsFor(entry, state.prices, offered))
  const isPriced = available.some((column) => (state.prices[column] ?? '') !== '')
  return {
    state: {
      ...typed,
      number: '',
      // What is typed next is the price of a number without one.
      slot: isPriced ? 'number' : (available[0] ?? 'number'),
      typing: isPriced ? 'on' : 'another',
      next: null,
      isLine: false,
      last: lastOf(entry, rows, after),
    },
    rows: after,
    mark: null,
    refusal: null,
  }
}

function typePrice(
  state: KeypadState,
  rows: readonly SlipRow[],
  digits: string,
  offered: readonly BetTypeCode[],
): KeypadStep {
  const slot = state.slot as StakeColumn
  const before = state.typing === 'on' ? (state.prices[slot] ?? '') : ''
  const price = (before + digits).replace(/^0+/, '')
  if (price.length > PRICE_LENGTH) return { state, rows, mark: null, refusal: null }
  const prices = { ...standingPrices(state, offered), [slot]: price }
  return setPrice({ ...state, typing: 'on' }, rows, prices, offered)
}

/** A quick price leads to the next column that has one, so that two of them give two columns their prices. */
function takeQuickPrice(
  state: KeypadState,
  rows: readonly SlipRow[],
  baht: number,
  offered: readonly BetTypeCode[],
): KeypadStep {
  const available = availableColumns(state, offered)
  const column = state.slot === 'number' ? chipColumn(state, available) : state.slot
  if (column === undefined) return { state, rows, mark: null, refusal: null }
  const at = available.indexOf(column)
  const following = [...available.slice(at + 1), ...available.slice(0, at)]
  const prices: Prices = { ...standingPrices(state, offered), [column]: String(baht) }
  const next = following.find((one) => (prices[one] ?? '') !== '') ?? column
  return setPrice({ ...state, slot: 'number', next, typing: 'on', isLine: false }, rows, prices, offered)
}

/** The column that a quick price goes to while digits go to the number. */
export function chipColumn({ next, prices }: KeypadState, available: readonly StakeColumn[]): StakeColumn | undefined {
  if (next !== null && available.includes(next)) return next
  return available.find((column) => (prices[column] ?? '') !== '') ?? available[0]
}

/** Prices for the following numbers, and for the last one while no other is begun. */
function setPrice(
  state: KeypadState,
  rows: readonly SlipRow[],
  prices: Prices,
  offered: readonly BetTypeCode[],
): KeypadStep {
  const { last, number } = state
  if (last === null || number !== '') return { state: { ...state, prices }, rows, mark: null, refusal: null }
  const known = new Set(last.rows)
  const others = rows.filter((row) => !known.has(row))
  const after = appendRows(others, rowsFor(last.entry, prices, offered))
  return {
    state: { ...state, prices, last: lastOf(last.entry, others, after) },
    rows: after,
    mark: `keypad ${last.entry.text}`,
    refusal: null,
  }
}

/** The entry with the rows that hold something and were not there before; null if it has become none. */
function lastOf(entry: Entry, before: readonly SlipRow[], after: readonly SlipRow[]): KeypadState['last'] {
  const known = new Set(before)
  const rows = after.filter((row) => !isEmptyRow(row) && !known.has(row))
  return rows.length > 0 ? { entry, rows } : null
}

/** The prices that stay when one is given: in a typed line what is missing is 0. */
function standingPrices(state: KeypadState, offered: readonly BetTypeCode[]): Prices {
  if (state.typing !== 'line') return state.prices
  const available = availableColumns(state, offered)
  const others = stakeColumns.filter((column) => !available.includes(column))
  return Object.fromEntries(others.map((column) => [column, state.prices[column] ?? '']))
}
