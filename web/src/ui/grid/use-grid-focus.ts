import { focusList } from '../../lib/page/restore-focus.ts'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { FocusEvent, KeyboardEvent } from 'react'
import type { WindowVirtualizerHandle } from 'virtua'
import { activeIndexOf, noSelection, pressKey } from './grid-selection.ts'
import type { GridSelection } from './grid-selection.ts'

/** The active row of each list by its label, so the keyboard continues there on the next visit. */
const activeOfLists = new Map<string, Pick<GridSelection, 'active' | 'lastIndex'>>()

/** The focus and the selection of a grid's rows, and the handlers that change them. */
export function useGridFocus(
  label: string,
  rowKeys: readonly string[],
  canSelect: boolean,
  onKeyOfRow: (rowKey: string, key: string) => boolean,
) {
  const [selection, setSelection] = useState(() => ({ ...noSelection, ...activeOfLists.get(label) }))
  const { active, lastIndex } = selection
  useEffect(() => {
    activeOfLists.set(label, { active, lastIndex })
  }, [label, active, lastIndex])
  const activeIndex = activeIndexOf(selection, rowKeys)
  const virtualizer = useRef<WindowVirtualizerHandle>(null)
  /** The key of the row that takes the focus once it is drawn. */
  const focusRef = useRef<string | null>(null)
  /** The key of the focused row. React sends no blur for a removed row, so the key survives the removal. */
  const focused = useRef<string | null>(null)
  // A browser moves the focus of a removed row to the page. The row now at its index takes it back.
  useLayoutEffect(() => {
    if (focused.current === null || rowKeys.includes(focused.current)) return
    focused.current = null
    if (document.activeElement !== document.body) return
    focusRef.current = rowKeys[activeIndex] ?? null
    if (rowKeys.length === 0) focusList()
  }, [rowKeys, activeIndex])
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    // Buttons and links within a row handle their own keys.
    const rowKey = rowKeyOf(event.target)
    if (rowKey === undefined) return
    const hasModifier = event.ctrlKey || event.metaKey || event.altKey
    if (!hasModifier && onKeyOfRow(rowKey, event.key)) {
      event.preventDefault()
      return
    }
    const next = pressKey(selection, rowKeys, event)
    if (next === null) return
    event.preventDefault()
    setSelection(canSelect ? next : { ...next, selected: selection.selected })
    if (next.active === selection.active) return
    focusRef.current = next.active
    virtualizer.current?.scrollToIndex(next.lastIndex, { align: 'nearest' })
  }
  const handlers = {
    onKeyDown,
    onFocus: ({ target }: FocusEvent) => {
      const row = target.closest<HTMLElement>('[data-grid-row]')
      focused.current = row?.dataset['gridRow'] ?? null
    },
    onBlur: () => {
      focused.current = null
    },
  }
  return { selection, activeIndex, select: setSelection, focusRef, virtualizer, handlers }
}

/** The row's key; undefined for any other element. */
function rowKeyOf(target: EventTarget): string | undefined {
  return target instanceof HTMLElement ? target.dataset['gridRow'] : undefined
}
