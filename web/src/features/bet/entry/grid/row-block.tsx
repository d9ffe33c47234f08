import { memo } from 'react'
import type { ComponentProps } from 'react'
import { EMPTY_STATE, isSameRowState } from '../../slip/slip-check.ts'
import type { RowState } from '../../slip/slip-check.ts'
import type { SlipRow } from '../../slip/slip-rows.ts'
import classes from './slip-grid.module.css'
import { SlipRowView } from './slip-row.tsx'

// A slip may have a thousand rows, and a key changes one of them: rows are drawn, and laid out by the browser, in blocks,
// so that all others are passed over some dozens at a time.

export const BLOCK_ROWS = 25

type SharedProps = Omit<ComponentProps<typeof SlipRowView>, 'index' | 'row' | 'state'>

interface RowBlockProps extends SharedProps {
  /** The index of its first row in the slip. */
  start: number
  rows: readonly SlipRow[]
  states: readonly RowState[]
}

export function cutBlocks(rows: readonly SlipRow[]): readonly (readonly SlipRow[])[] {
  const count = Math.ceil(rows.length / BLOCK_ROWS)
  return Array.from({ length: count }, (_, at) => rows.slice(at * BLOCK_ROWS, (at + 1) * BLOCK_ROWS))
}

export const RowBlock = memo(
  function RowBlock({ start, rows, states, ...shared }: RowBlockProps) {
    return (
      <tbody className={classes.rows} style={{ '--rows': rows.length } as Record<string, number>}>
        {rows.map((row, at) => (
          <SlipRowView key={row.id} index={start + at} row={row} state={states[at] ?? EMPTY_STATE} {...shared} />
        ))}
      </tbody>
    )
  },
  ({ rows, states, ...before }, { rows: rowsAfter, states: statesAfter, ...after }) =>
    rows.length === rowsAfter.length &&
    rows.every((row, at) => row === rowsAfter[at]) &&
    rows.every((_, at) => isSameRowState(states[at] ?? EMPTY_STATE, statesAfter[at] ?? EMPTY_STATE)) &&
    (Object.keys(before) as (keyof typeof before)[]).every((name) => before[name] === after[name]),
)
