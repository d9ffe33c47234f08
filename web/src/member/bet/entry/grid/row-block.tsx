import type { BetTypeCode } from '@megalot/rules'
import { memo, useRef } from 'react'
import type { ComponentProps } from 'react'
import { useShownSlip } from '../../slip/checked-slip.ts'
import type { CheckedSlipStore } from '../../slip/checked-slip.ts'
import { EMPTY_STATE, isSameRowState } from '../../slip/row-check.ts'
import type { RowState } from '../../slip/row-check.ts'
import type { SlipRow } from '../../slip/slip-rows.ts'
import { useDraft } from '../../slip/slip-store.ts'
import type { SlipStore } from '../../slip/slip-store.ts'
import classes from './slip-grid.module.css'
import { SlipRowView } from './slip-row.tsx'
import { findRepeatable } from './typed-line.ts'

// A slip may have a thousand rows, and a key changes one of them: rows are drawn, and laid out by the browser, in blocks.
// Each block follows the slip by itself and is drawn again only when one of its own rows has changed.

export const BLOCK_ROWS = 10

export function countBlocks(rows: readonly SlipRow[]): number {
  return Math.ceil(rows.length / BLOCK_ROWS)
}

/** A part of a list that is the same array until one of its items is another. */
function useSlice<Item>(
  start: number,
  isSame: (a: Item, b: Item) => boolean,
): (all: readonly Item[]) => readonly Item[] {
  const last = useRef<readonly Item[]>([])
  return (all) => {
    const now = all.slice(start, start + BLOCK_ROWS)
    const isKept = now.length === last.current.length && now.every((item, at) => isSame(item, last.current[at]!))
    if (!isKept) last.current = now
    return last.current
  }
}

interface RowBlockProps extends Omit<ComponentProps<typeof SlipRowView>, 'index' | 'row' | 'state' | 'above'> {
  store: SlipStore
  slip: CheckedSlipStore
  /** The index of its first row in the slip. */
  start: number
}

export const RowBlock = memo(function RowBlock({ store, slip, start, ...shared }: RowBlockProps) {
  const rowsOf = useSlice<SlipRow>(start, Object.is)
  const statesOf = useSlice<RowState>(start, isSameRowState)
  const rows = useDraft(store, (draft) => rowsOf(draft.rows))
  const before = useDraft(store, (draft) => draft.rows[start - 1])
  const states = useShownSlip(slip, ({ check }) => statesOf(check.row_states))
  return (
    <tbody className={classes.rows} style={{ '--rows': rows.length } as Record<string, number>}>
      {rows.map((row, at) => (
        <SlipRowView
          key={row.id}
          index={start + at}
          row={row}
          above={aboveOf(row, at === 0 ? before : rows[at - 1], shared.offered)}
          state={states[at] ?? EMPTY_STATE}
          {...shared}
        />
      ))}
    </tbody>
  )
})

/** The row above where this one can repeat its amounts. No other row is drawn again with it. */
function aboveOf(row: SlipRow, above: SlipRow | undefined, offered: readonly BetTypeCode[]): SlipRow | null {
  return above !== undefined && findRepeatable(row, above, offered) !== null ? above : null
}
