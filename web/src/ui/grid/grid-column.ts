import type { ReactNode } from 'react'

export interface GridColumn<Row> {
  name: string
  label: string
  cell: (row: Row) => ReactNode
  /** The cell in a CSV file. Columns without it are left out. */
  text?: (row: Row) => string
  /** Money and counts, aligned to the right. */
  isFigure?: boolean
  /** The page or the server sorts by this column. */
  isSortable?: boolean
  /** Names the row. Always shown, and first. */
  isRowName?: boolean
  /** Buttons in the last column, which stays visible while the columns scroll. */
  hasActions?: boolean
  /** Hidden until it is chosen. */
  isOptional?: boolean
  /** The column's CSS grid track. */
  width?: string
}

/** A row of sums: a label in the first column, figures in the columns of figures. */
export interface GridSum<Row> {
  label: string
  row: Row
}

/** A column's cell in a row of sums. @param index among the shown columns */
export function sumCell<Row>(column: GridColumn<Row>, index: number, { label, row }: GridSum<Row>): ReactNode {
  if (index === 0) return label
  return column.isFigure === true ? column.cell(row) : null
}

export interface GridSort {
  column: string
  direction: 'asc' | 'desc'
}

/** A saved name for a sort, columns and filters. */
export interface GridView {
  name: string
  search: Readonly<Record<string, string>>
  is_shared: boolean
  /** Who shared it; null for the user's own. */
  shared_by: string | null
}
