import { useLayoutEffect, useRef } from 'react'
import type { FocusEvent, RefObject } from 'react'
import type { Column } from '../../slip/slip-columns.ts'
import type { SlipRow } from '../../slip/slip-rows.ts'
import { focusCell, placeOfField } from './grid-keys.ts'

interface KeptFocus {
  onFocus: (event: FocusEvent) => void
  onBlur: () => void
}

/**
 * Keeps the keyboard in the sheet. A row that is removed, or that moves from one drawn block into the next, takes its
 * fields with it, and the focus in them: it goes to where the row is now, or to the one that took its place.
 */
export function useKeptFocus(grid: RefObject<HTMLElement | null>, rows: readonly SlipRow[]): KeptFocus {
  const kept = useRef<{ id: number | undefined; row: number; column: Column } | null>(null)

  useLayoutEffect(() => {
    // What is only changed keeps its focus by itself.
    if (kept.current === null || grid.current === null || document.activeElement !== document.body) return
    const { id, row, column } = kept.current
    const moved = rows.findIndex((one) => one.id === id)
    focusCell(grid.current, { row: moved === -1 ? Math.min(row, rows.length - 1) : moved, column })
  }, [grid, rows])

  return {
    onFocus: ({ target }) => {
      const place = placeOfField(target)
      kept.current = place === null ? null : { ...place, id: rows[place.row]?.id }
    },
    // React tells of no blur while it changes the page: this is one by the member.
    onBlur: () => (kept.current = null),
  }
}
