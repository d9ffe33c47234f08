// Where the focus of a grid goes, and which rows are selected, after a key or a click. Rows are known by their own keys: a live list
// inserts, removes and sorts rows at any moment, and a press of a key must never act on the row that has come to the same index.

export interface GridSelection {
  /** The key of the row that takes part in the tab order; null until there was one: the first row. */
  active: string | null
  /** The index that the active row had when it became active: the row there is the active one once that row is removed. */
  lastIndex: number
  /** The key of the row where a range begins that is drawn with shift; null: the first row. */
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

/** @returns the index of the active row, or of the row that stands at its last index; -1: there are no rows */
export function activeIndexOf({ active, lastIndex }: GridSelection, rowKeys: readonly string[]): number {
  const now = active === null ? -1 : rowKeys.indexOf(active)
  return now === -1 ? Math.min(lastIndex, rowKeys.length - 1) : now
}

/** @param anchor the key of the row where the range begins; a row that is gone: the range is the row at `to` alone */
function listRange(rowKeys: readonly string[], anchor: string | null, to: number): ReadonlySet<string> {
  const found = anchor === null ? 0 : rowKeys.indexOf(anchor)
  const from = found === -1 ? to : found
  return new Set(rowKeys.slice(Math.min(from, to), Math.max(from, to) + 1))
}

/** The selection with this row active; ranges begin at it. */
export function activateRow(selection: GridSelection, rowKeys: readonly string[], index: number): GridSelection {
  const active = rowKeys[index] ?? null
  return { ...selection, active, lastIndex: index, anchor: active }
}

/** The selection with one row added or taken away; with shift, the rows from the anchor to it. */
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
 * What a key does to the selection; null where the grid does not know the key. Arrows move, with shift they draw a range;
 * space selects, with shift from the anchor on; ctrl-A selects all rows that are loaded; escape none.
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
