import { focusList } from '../../lib/page/restore-focus.ts'
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { FocusEvent, KeyboardEvent } from 'react'
import type { WindowVirtualizerHandle } from 'virtua'
import { activeIndexOf, noSelection, pressKey } from './grid-selection.ts'
import type { GridSelection } from './grid-selection.ts'

/** The active row of each list, by the list's label, from when it was last shown: whoever comes back goes on there. */
const activeOfLists = new Map<string, Pick<GridSelection, 'active' | 'lastIndex'>>()

/** Which row has the focus of the keyboard, which are selected, and what keys do about it. */
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
  /** The key of the row that takes the focus as soon as it is drawn. */
  const focusRef = useRef<string | null>(null)
  /** The key of the row that has the focus. It stays when the row is removed: React passes no blur on then. */
  const focused = useRef<string | null>(null)
  // A browser moves the focus of a removed row to the page, and the keys of the list would be dead.
  useLayoutEffect(() => {
    const isRemoved = focused.current !== null && !rowKeys.includes(focused.current)
    if (!isRemoved || document.activeElement !== document.body) return
    focused.current = null
    focusRef.current = rowKeys[activeIndex] ?? null
    if (rowKeys.length === 0) focusList()
  }, [rowKeys, activeIndex])
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    // Buttons and links within a row have keys of their own.
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

/** The key of a row of the grid; undefined: another element. */
function rowKeyOf(target: EventTarget): string | undefined {
  return target instanceof HTMLElement ? target.dataset['gridRow'] : undefined
}
