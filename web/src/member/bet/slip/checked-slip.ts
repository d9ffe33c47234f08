import type { SlipContext } from '@megalot/rules'
import { useSyncExternalStore } from 'react'
import { onceAfterFrame } from '../../../lib/page/after-frame.ts'
import type { CheckedSlip, SlipChecker } from './slip-check.ts'
import type { SlipRow } from './slip-rows.ts'
import type { SlipStore } from './slip-store.ts'

// The rows of a slip with what the rules say of them. A key in a cell is urgent, what follows from it is not: the cell shows
// the key in the next frame, and what is said beside the rows and below them follows in the frame after it. Whoever decides
// something, such as sending, asks for the state of now.

export interface CheckedRows {
  rows: readonly SlipRow[]
  kept_duplicates: readonly string[]
  check: CheckedSlip
}

type Subscribe = (listener: () => void) => () => void

export interface CheckedSlipStore {
  /** The slip as it is now; it is checked when somebody asks, once for each change. */
  getState: () => CheckedRows
  subscribe: Subscribe
  /** The slip as it was when the last frame was drawn. */
  getShown: () => CheckedRows
  subscribeShown: Subscribe
}

export function createCheckedSlip(store: SlipStore, checkRows: SlipChecker, context: SlipContext): CheckedSlipStore {
  let current: CheckedRows | null = null
  const getState = (): CheckedRows => {
    const { rows, kept_duplicates } = store.getState()
    if (current === null || current.rows !== rows || current.kept_duplicates !== kept_duplicates)
      current = { rows, kept_duplicates, check: checkRows(rows, context, kept_duplicates) }
    return current
  }
  return { getState, subscribe: (listener) => store.subscribe(listener), ...createShown(store, getState) }
}

/** Follows the slip a frame behind where only cells change, and at once where rows come, go or move. */
function createShown(
  store: SlipStore,
  getState: () => CheckedRows,
): Pick<CheckedSlipStore, 'getShown' | 'subscribeShown'> {
  const listeners = new Set<() => void>()
  let shown: CheckedRows | null = null
  let cancel: (() => void) | null = null
  let unfollow: (() => void) | null = null
  const show = (): void => {
    cancel?.()
    cancel = null
    const now = getState()
    if (now === shown) return
    shown = now
    for (const listener of listeners) listener()
  }
  const follow = (): void => {
    const { rows, kept_duplicates } = store.getState()
    if (shown === null || shown.kept_duplicates !== kept_duplicates || !isSameOrder(shown.rows, rows)) show()
    else if (shown.rows !== rows) cancel ??= onceAfterFrame(show)
  }
  return {
    getShown: () => {
      if (listeners.size === 0) return getState()
      shown ??= getState()
      return shown
    },
    subscribeShown: (listener) => {
      if (listeners.size === 0) unfollow = store.subscribe(follow)
      listeners.add(listener)
      return () => {
        listeners.delete(listener)
        if (listeners.size > 0) return
        unfollow?.()
        cancel?.()
        cancel = null
        shown = null
      }
    },
  }
}

function isSameOrder(a: readonly SlipRow[], b: readonly SlipRow[]): boolean {
  return a.length === b.length && a.every((row, index) => row.id === b[index]!.id)
}

/**
 * A part of the slip as it is now: whoever uses it is drawn again only when that part is another value. What holds a field
 * must use this one.
 * @param select gives the same object as long as it means the same
 */
export function useCheckedSlip<Value>(slip: CheckedSlipStore, select: (state: CheckedRows) => Value): Value {
  return useSyncExternalStore(slip.subscribe, () => select(slip.getState()))
}

/** The same, one animation frame behind the typed text. */
export function useShownSlip<Value>(slip: CheckedSlipStore, select: (state: CheckedRows) => Value): Value {
  return useSyncExternalStore(slip.subscribeShown, () => select(slip.getShown()))
}
