// Where the focus of a grid goes, and which rows are selected, after a key or a click. Rows are known by their keys.

export interface GridSelection {
  /** The row that takes part in the tab order. */
  active: number
  /** Where a range begins that is drawn with shift. */
  anchor: number
  selected: ReadonlySet<string>
}

export interface GridKey {
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

function listRange(keys: readonly string[], from: number, to: number): ReadonlySet<string> {
  return new Set(keys.slice(Math.min(from, to), Math.max(from, to) + 1))
}

/** The selection with one row added or taken away; with shift, the rows from the anchor to it. */
export function toggleRow(
  { anchor, selected }: GridSelection,
  keys: readonly string[],
  index: number,
  isRange: boolean,
): GridSelection {
  if (isRange) return { active: index, anchor, selected: listRange(keys, anchor, index) }
  const next = new Set(selected)
  const key = keys[index]
  if (key !== undefined && !next.delete(key)) next.add(key)
  return { active: index, anchor: index, selected: next }
}

/**
 * What a key does to the selection; null where the grid does not know the key. Arrows move, with shift they draw a range;
 * space selects, with shift from the anchor on; ctrl-A selects all rows that are loaded; escape none.
 */
export function pressKey(state: GridSelection, keys: readonly string[], pressed: GridKey): GridSelection | null {
  if (keys.length === 0) return null
  const last = keys.length - 1
  const active = Math.min(state.active, last)
  const hasModifier = pressed.ctrlKey || pressed.metaKey
  if (hasModifier && pressed.key.toLowerCase() === 'a') return { ...state, active, selected: new Set(keys) }
  if (hasModifier && pressed.key !== 'Home' && pressed.key !== 'End') return null
  if (pressed.key === 'Escape') return state.selected.size === 0 ? null : { ...state, active, selected: new Set() }
  if (pressed.key === ' ') return toggleRow({ ...state, active }, keys, active, pressed.shiftKey)
  const target = targetOf(pressed.key, active, last)
  if (target === null) return null
  if (!pressed.shiftKey) return { active: target, anchor: target, selected: state.selected }
  return { active: target, anchor: state.anchor, selected: listRange(keys, state.anchor, target) }
}
