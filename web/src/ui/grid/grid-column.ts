import type { ReactNode } from 'react'

export interface GridColumn<Row> {
  name: string
  label: string
  cell: (row: Row) => ReactNode
  /** The cell in a CSV file; a column without it is left out there. */
  text?: (row: Row) => string
  /** Money and counts are aligned to the right. */
  isFigure?: boolean
  /** The server, or whoever gives the rows, sorts by it. */
  isSortable?: boolean
  /** Names the row: always shown, and first. */
  isRowName?: boolean
  /** Buttons, in the last column: they stay in sight where the columns scroll. */
  hasActions?: boolean
  /** Not shown until it is chosen. */
  isOptional?: boolean
  /** The column's track in the grid of a row. */
  width?: string
}

/** A row of sums under the others: its figures stand in the columns of figures, its name in the first column. */
export interface GridSum<Row> {
  label: string
  row: Row
}

/** What a column shows in a row of sums. @param index of the column among those that are shown */
export function sumCell<Row>(column: GridColumn<Row>, index: number, { label, row }: GridSum<Row>): ReactNode {
  if (index === 0) return label
  return column.isFigure === true ? column.cell(row) : null
}

export interface GridSort {
  column: string
  direction: 'asc' | 'desc'
}

/** A name for a sort, columns and filters. */
export interface GridView {
  name: string
  search: Readonly<Record<string, string>>
}
