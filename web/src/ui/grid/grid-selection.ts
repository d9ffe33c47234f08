// The focus and the selection of a grid after a key or a click. A live list moves rows at any moment, so rows are known by
// their keys: a key press never acts on a row that has just come to the same index.

export interface GridSelection {
  /** The key of the row in the tab order; null for the first row. */
  active: string | null
  /** The active row's index when it became active. Once that row is removed, the row at this index is active. */
  lastIndex: number
  /** The key of the row where a shift range begins; null for the first row. */
  anchor: string | null
  selected: ReadonlySet<string>
}

export const noSelection: GridSelection = { active: null, lastIndex: 0, anchor: null, selected: new Set() }

export interface PressedKey {
  key: string
  shiftKey: boolean
  ctrlKey: boolean
  metaKey: boolean
}

const PAGE_ROWS = 10

function targetOf(key: string, active: number, last: number): number | null {
  const targets: Readonly<Record<string, number>> = {
    ArrowDown: active + 1,
    ArrowUp: active - 1,
    PageDown: active + PAGE_ROWS,
    PageUp: active - PAGE_ROWS,
    Home: 0,
    End: last,
  }
  const target = targets[key]
  return target === undefined ? null : Math.min(Math.max(target, 0), last)
}

/** @returns the index of the active row, else its last index; -1 without rows */
export function activeIndexOf({ active, lastIndex }: GridSelection, rowKeys: readonly string[]): number {
  const now = active === null ? -1 : rowKeys.indexOf(active)
  return now === -1 ? Math.min(lastIndex, rowKeys.length - 1) : now
}

/** @param anchor the key of the row where the range begins. Without that row, the range is the row at `to`. */
function listRange(rowKeys: readonly string[], anchor: string | null, to: number): ReadonlySet<string> {
  const found = anchor === null ? 0 : rowKeys.indexOf(anchor)
  const from = found === -1 ? to : found
  return new Set(rowKeys.slice(Math.min(from, to), Math.max(from, to) + 1))
}

/** The selection with this row active and as the start of ranges. */
export function activateRow(selection: GridSelection, rowKeys: readonly string[], index: number): GridSelection {
  const active = rowKeys[index] ?? null
  return { ...selection, active, lastIndex: index, anchor: active }
}

/** The selection with one row added or removed; with shift, the rows from the anchor to it. */
export function toggleRow(
  selection: GridSelection,
  rowKeys: readonly string[],
  index: number,
  isRange: boolean,
): GridSelection {
  const { anchor, selected } = selection
  const active = rowKeys[index] ?? null
  if (isRange) return { active, lastIndex: index, anchor, selected: listRange(rowKeys, anchor, index) }
  const next = new Set(selected)
  if (active !== null && !next.delete(active)) next.add(active)
  return { active, lastIndex: index, anchor: active, selected: next }
}

/**
 * The selection after a key; null for a key that the grid does not know. Arrows move, and with shift select a range.
 * Space selects, with shift from the anchor. Ctrl-A selects all loaded rows, escape none.
 */
export function pressKey(state: GridSelection, rowKeys: readonly string[], pressed: PressedKey): GridSelection | null {
  if (rowKeys.length === 0) return null
  const index = activeIndexOf(state, rowKeys)
  const now = { ...state, active: rowKeys[index] ?? null, lastIndex: index }
  const hasModifier = pressed.ctrlKey || pressed.metaKey
  if (hasModifier && pressed.key.toLowerCase() === 'a') return { ...now, selected: new Set(rowKeys) }
  if (hasModifier && pressed.key !== 'Home' && pressed.key !== 'End') return null
  if (pressed.key === 'Escape') return state.selected.size === 0 ? null : { ...now, selected: new Set() }
  if (pressed.key === ' ') return toggleRow(now, rowKeys, index, pressed.shiftKey)
  const target = targetOf(pressed.key, index, rowKeys.length - 1)
  if (target === null) return null
  const moved = activateRow(now, rowKeys, target)
  if (!pressed.shiftKey) return moved
  return { ...moved, anchor: state.anchor, selected: listRange(rowKeys, state.anchor, target) }
}
