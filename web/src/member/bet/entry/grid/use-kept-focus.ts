import { useLayoutEffect, useRef } from 'react'
import type { FocusEvent, RefObject } from 'react'
import type { Column } from '../../slip/slip-columns.ts'
import type { SlipRow } from '../../slip/slip-rows.ts'
import { useDraft } from '../../slip/slip-store.ts'
import type { SlipStore } from '../../slip/slip-store.ts'
import { focusCell, placeOfField } from './grid-keys.ts'

interface KeptFocus {
  onFocus: (event: FocusEvent) => void
  onBlur: () => void
}

/**
 * Keeps the keyboard in the sheet. A row that is removed, or that moves from one drawn block into the next, takes its
 * fields with it, and the focus in them: it goes to where the row is now, or to the one that took its place.
 */
export function useKeptFocus(grid: RefObject<HTMLElement | null>, store: SlipStore): KeptFocus {
  // A key in a cell changes no order, and the focus stays where it is.
  const order = useOrder(store)
  const kept = useRef<{ id: number | undefined; row: number; column: Column } | null>(null)

  useLayoutEffect(() => {
    // A changed row keeps its focus without help.
    if (kept.current === null || grid.current === null || document.activeElement !== document.body) return
    const { id, row, column } = kept.current
    const moved = order.indexOf(id ?? -1)
    focusCell(grid.current, { row: moved === -1 ? Math.min(row, order.length - 1) : moved, column })
  }, [grid, order])

  return {
    onFocus: ({ target }) => {
      const place = placeOfField(target)
      kept.current = place === null ? null : { ...place, id: order[place.row] }
    },
    // React reports no blur while it changes the page: this is one by the member.
    onBlur: () => (kept.current = null),
  }
}

/** The rows by id, in their order; the same array as long as no row comes, goes or moves. */
function useOrder(store: SlipStore): readonly number[] {
  const last = useRef<{ rows: readonly SlipRow[]; ids: readonly number[] }>({ rows: [], ids: [] })
  return useDraft(store, ({ rows }) => {
    const { ids } = last.current
    const isSame =
      rows === last.current.rows || (rows.length === ids.length && rows.every(({ id }, at) => id === ids[at]))
    last.current = { rows, ids: isSame ? ids : rows.map(({ id }) => id) }
    return last.current.ids
  })
}
