import { usualBetTypes } from '@megalot/rules'
import type { StakeColumn } from '@megalot/rules'
import { useEffect, useEffectEvent, useState } from 'react'
import { useTranslations } from 'use-intl'
import { announce } from '../../../../lib/feedback/announce.ts'
import { showToast } from '../../../../lib/feedback/toast.ts'
import type { Desk } from '../../desk.ts'
import { columnsOfMarket } from '../../slip/slip-columns.ts'
import type { SlipRow } from '../../slip/slip-rows.ts'
import { editRows, undoEdit } from '../../slip/slip-store.ts'
import { keepPrices, readPrices } from '../price-memory.ts'
import { availableColumns, chipColumn, lengthOf, onSlip, pressKey, START } from './keypad-keys.ts'
import type { KeypadKey, KeypadState } from './keypad-keys.ts'

/** The keypad as it is shown. */
export interface Keypad {
  state: KeypadState
  /** The columns of the market, and those that the next number can be bet on. */
  columns: readonly StakeColumn[]
  available: readonly StakeColumn[]
  /** The column of the next quick price. */
  chip: StakeColumn | undefined
  press: (key: KeypadKey) => void
  undo: () => void
}

export function useKeypad({ store, offered }: Desk, user_id: number, product_code: string): Keypad {
  const t = useTranslations('entry')
  const words = useTranslations('bet.grid.column')
  const [state, setState] = useState(() => ({
    ...START,
    prices: readPrices(user_id, product_code),
    slip: store.getState().rows,
  }))
  const available = availableColumns(state, offered)
  const become = (after: KeypadState): void => {
    if (after.prices !== state.prices) keepPrices(user_id, product_code, after.prices)
    setState(after)
  }
  const follow = useEffectEvent((rows: readonly SlipRow[]) => become(onSlip(state, rows)))
  useEffect(() => store.subscribe(({ rows }) => follow(rows)), [store])

  const press = (key: KeypadKey): void => {
    const before = store.getState().rows
    const { state: after, rows, mark, refusal } = pressKey(state, before, key, offered)
    if (refusal !== null) showToast('bad', t(`problem.${refusal}`, { digits: lengthOf(state) }))
    editRows(store, rows, mark)
    if (key.kind === 'digits' && rows !== before && mark === null) {
      const priced = available.filter((column) => after.prices[column])
      const amount = priced.map((column) => `${words(column)} ${after.prices[column]}`).join(' ')
      announce(t('keypad.taken', { number: after.last?.entry.text ?? '', amount: amount || '0' }))
    }
    become(after)
  }
  return {
    state,
    columns: columnsOfMarket(offered),
    available,
    chip: chipColumn(state, available),
    press,
    undo: () => {
      if (undoEdit(store)) announce(t('undone'))
    },
  }
}

const nothing = (): void => {}

/** The keypad of a market whose data are not there yet. */
export const idleKeypad: Keypad = {
  state: START,
  columns: columnsOfMarket(usualBetTypes),
  available: availableColumns(START, usualBetTypes),
  chip: 'top',
  press: nothing,
  undo: nothing,
}
