import { entryModes, usualBetTypes } from '@megalot/rules'
import type { EntryModeCode, StakeColumn } from '@megalot/rules'
import { useState } from 'react'
import { useTranslations } from 'use-intl'
import { announce } from '../../../../lib/feedback/announce.ts'
import type { Desk } from '../../desk.ts'
import { readAmount } from '../../slip/cell-text.ts'
import { appendRows, rowsOfLines } from '../../slip/slip-lines.ts'
import type { NewRow } from '../../slip/slip-lines.ts'
import { isEmptyRow } from '../../slip/slip-rows.ts'
import type { SlipRow } from '../../slip/slip-rows.ts'
import { editRows, undoEdit } from '../../slip/slip-store.ts'
import { columnsOf, linesOf, numbersOf } from '../entry.ts'
import type { Digits, Entry } from '../entry.ts'
import { FIRST_COLUMNS, keepKeypadColumns, readKeypadColumns } from './keypad-columns.ts'

// Entering with one thumb: digits until a number is complete, which takes it onto the slip with the amount used last.
// A quick stake or another amount then changes the last entry, and applies to the next ones.

export type Shortcut = 'none' | 'reverse' | EntryModeCode

/** Reading backwards, and the modes that ask for a number: what fits a keypad. Sets of digits are for style B. */
export function shortcutsOf(digits: Digits): readonly Shortcut[] {
  if (digits === 1) return []
  const modes = entryModes.filter((mode) => mode.digits === digits && mode.input.kind === 'number')
  return ['reverse', ...modes.map(({ code }) => code)]
}

export interface KeypadState {
  digits: Digits
  shortcut: Shortcut
  columns: readonly StakeColumn[]
  number: string
  amount: string
  isAmountNext: boolean
  /** The last entry and the rows it became. */
  last: { entry: Entry; row_ids: readonly number[] } | null
}

const START: KeypadState = {
  digits: 2,
  shortcut: 'none',
  columns: FIRST_COLUMNS,
  number: '',
  amount: '',
  isAmountNext: false,
  last: null,
}

/** The amount's longest text: seven digits, as a cell takes them. */
const AMOUNT_LENGTH = 7

function entryOf({ digits, shortcut, number }: KeypadState): Entry {
  const isMode = shortcut !== 'none' && shortcut !== 'reverse'
  return {
    digits,
    method: isMode ? shortcut : 'typed',
    text: number,
    picked: [],
    isReversed: shortcut === 'reverse',
    options: {},
  }
}

/** How many digits make a number complete. */
export function lengthOf({ digits, shortcut }: KeypadState): number {
  const mode = entryModes.find(({ code }) => code === shortcut)
  return mode?.input.digits ?? digits
}

/** Rows of an entry at an amount; without one the numbers stand there and wait for it. */
function rowsFor(entry: Entry, amount: string, columns: readonly StakeColumn[]): readonly NewRow[] {
  const baht = readAmount(amount)
  const numbers = numbersOf(entry)
  if (typeof baht === 'string' || baht === 0) return numbers.map((number) => ({ number }))
  const stakes = Object.fromEntries(columns.map((column) => [column, baht * 100]))
  return rowsOfLines(linesOf(entry, stakes, columns, numbers))
}

export function useKeypad(desk: Desk) {
  const t = useTranslations('entry')
  const [state, setState] = useState(() => ({ ...START, columns: readKeypadColumns() }))
  const { store, offered } = desk
  const available = columnsOf(entryOf(state), offered)
  const active = available.filter((column) => state.columns.includes(column))

  const appendEntry = (
    rows: readonly SlipRow[],
    entry: Entry,
    amount: string,
    mark: string | null,
  ): readonly number[] => {
    const columns = columnsOf(entry, offered).filter((column) => state.columns.includes(column))
    const after = appendRows(rows, rowsFor(entry, amount, columns))
    const known = new Set(rows.map(({ id }) => id))
    editRows(store, after, mark)
    return after.filter((row) => !isEmptyRow(row) && !known.has(row.id)).map(({ id }) => id)
  }
  const commitNumber = (complete: KeypadState): void => {
    const entry = entryOf(complete)
    const row_ids = appendEntry(store.getState().rows, entry, complete.amount, null)
    announce(t('keypad.taken', { number: complete.number, amount: complete.amount || '0' }))
    const isAmountNext = readAmount(complete.amount) === 0
    setState({ ...complete, number: '', isAmountNext, last: { entry, row_ids } })
  }
  /** Sets the amount for the next entries, and for the last one if it is still on the slip. */
  const setAmount = (amount: string, isDone: boolean): void => {
    const { last } = state
    const { rows } = store.getState()
    const isThere = last !== null && rows.some(({ id }) => last.row_ids.includes(id))
    if (!isThere || state.number !== '') {
      setState({ ...state, amount, isAmountNext: !isDone, last: isThere ? last : null })
      return
    }
    const others = rows.filter(({ id }) => !last.row_ids.includes(id))
    const row_ids = appendEntry(others, last.entry, amount, `keypad ${last.entry.text}`)
    setState({ ...state, amount, isAmountNext: !isDone, last: { ...last, row_ids } })
  }
  const press = (digits: string): void => {
    if (state.isAmountNext) {
      const amount = (state.amount + digits).replace(/^0+/, '')
      if (amount.length <= AMOUNT_LENGTH) setAmount(amount, false)
      return
    }
    const number = (state.number + digits).slice(0, lengthOf(state))
    if (number.length === lengthOf(state)) commitNumber({ ...state, number })
    else setState({ ...state, number })
  }
  return {
    state,
    available,
    active,
    press,
    stake: (baht: number) => setAmount(String(baht), true),
    erase: () => {
      if (state.isAmountNext) setAmount(state.amount.slice(0, -1), false)
      else setState({ ...state, number: state.number.slice(0, -1) })
    },
    /** Starts a new amount. The last entry keeps its own until a digit comes. */
    toAmount: () => setState({ ...state, amount: '', isAmountNext: true }),
    toNumber: () => setState({ ...state, isAmountNext: false }),
    undo: () => {
      if (undoEdit(store)) announce(t('undone'))
      setState({ ...state, number: '', last: null })
    },
    setDigits: (digits: Digits) => setState({ ...state, digits, shortcut: 'none', number: '', last: null }),
    setShortcut: (shortcut: Shortcut) => setState({ ...state, shortcut, number: '' }),
    toggleColumn: (column: StakeColumn) => {
      const columns = state.columns.includes(column)
        ? state.columns.filter((one) => one !== column)
        : [...state.columns, column]
      keepKeypadColumns(columns)
      setState({ ...state, last: null, columns })
    },
  }
}

export type Keypad = ReturnType<typeof useKeypad>

const nothing = (): void => {}

/** A keypad as it stands at first, that does nothing. */
export const idleKeypad: Keypad = {
  state: START,
  available: [...columnsOf(entryOf(START), usualBetTypes)],
  active: [...START.columns],
  press: nothing,
  stake: nothing,
  erase: nothing,
  toAmount: nothing,
  toNumber: nothing,
  undo: nothing,
  setDigits: nothing,
  setShortcut: nothing,
  toggleColumn: nothing,
}
