import type { ReactNode } from 'react'
import type { GridColumn, GridSum } from '../../../ui/grid/grid-column.ts'
import type { DownlineSearch } from './downline-search.ts'

export interface ReportRowsProps<Row> {
  /** The report's name in the device's storage and for screen readers. */
  list: string
  label: string
  columns: readonly GridColumn<Row>[]
  rows: readonly Row[] | undefined
  keyOf: (row: Row) => string
  onOpen?: (row: Row) => void
  /** Above the rows: the figures of the level. */
  head?: ReactNode
  /** Rows of sums over the others; on paper under them. */
  sums?: readonly GridSum<Row>[] | undefined
  /** Its totals in words. */
  totals?: string | undefined
  /** How many there are in all, where that is known. */
  total?: number | undefined
  search: DownlineSearch
  onSearch: (search: DownlineSearch) => void
  query: {
    error: Error | null
    refetch: () => Promise<unknown>
    hasNextPage?: boolean
    isFetchingNextPage?: boolean
    fetchNextPage?: () => unknown
  }
}

/** The component that shows the rows of a report. */
export type ReportRows = <Row extends object>(props: ReportRowsProps<Row>) => ReactNode
