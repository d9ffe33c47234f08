// Rows that are put where they belong one by one cannot be rows of an HTML table, whose columns hang together: to readers
// they are a table by their roles.
/* oxlint-disable jsx-a11y/prefer-tag-over-role */

import type { ReactNode } from 'react'
import { WindowVirtualizer } from 'virtua'
import classes from './virtual-table.module.css'

/** How much beyond the screen is drawn: a Tab key held down must not run out of rows. */
const BUFFER_PX = 700

export interface VirtualColumn<Name extends string> {
  name: Name
  label: string
  /** Money and counts stand at the right. */
  isFigure?: boolean
}

interface VirtualTableProps<Row, Name extends string> {
  label: string
  columns: readonly VirtualColumn<Name>[]
  rows: readonly Row[]
  keyOf: (row: Row) => string | number
  /** Lays the cells out by their `data-name`, on a phone and on a desktop. */
  className: string | undefined
  /** About how high a row is before it is drawn. */
  rowPx: number
  cellsOf: (row: Row) => Readonly<Record<Name, ReactNode>>
  /** A row of sums, which stands below the heads however long the table is. */
  totals?: Readonly<Record<Name, ReactNode>>
}

/** A table without an end: only the rows near the screen are drawn. Laid out by grids, to readers it is a table. */
export function VirtualTable<Row, Name extends string>(props: VirtualTableProps<Row, Name>) {
  const { label, columns, rows, keyOf, className = '', rowPx, cellsOf, totals } = props
  const rowClass = `${classes.row} ${className}`
  const cells = (texts: Readonly<Record<Name, ReactNode>>): ReactNode =>
    columns.map(({ name, label: head, isFigure }) => (
      <div
        key={name}
        role="cell"
        className={classes.cell}
        data-name={name}
        data-label={head}
        data-figure={isFigure || undefined}
      >
        {texts[name]}
      </div>
    ))
  return (
    <div role="table" aria-label={label} aria-rowcount={-1} className={classes.table}>
      <div role="rowgroup" className={classes.heads}>
        <div role="row" className={`${rowClass} ${classes.head}`}>
          {columns.map(({ name, label: head, isFigure }) => (
            <div key={name} role="columnheader" data-name={name} data-figure={isFigure || undefined}>
              {head}
            </div>
          ))}
        </div>
        {totals !== undefined && (
          <div role="row" className={`${rowClass} ${classes.totals}`} data-testid="totals-row">
            {cells(totals)}
          </div>
        )}
      </div>
      <div role="rowgroup" data-virtual-rows>
        <WindowVirtualizer itemSize={rowPx} bufferSize={BUFFER_PX} data={rows}>
          {(row) => (
            <div key={keyOf(row)} role="row" className={rowClass} data-row>
              {cells(cellsOf(row))}
            </div>
          )}
        </WindowVirtualizer>
      </div>
    </div>
  )
}
