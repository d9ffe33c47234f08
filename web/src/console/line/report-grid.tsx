import { useTranslations } from 'use-intl'
import { formatBaht, formatCount } from '../../lib/format/money.ts'
import { DataGrid } from '../../ui/data-grid.tsx'
import type { GridColumn } from '../../ui/grid-column.ts'
import { LoadMore } from '../../ui/load-more.tsx'
import { EmptyNote } from '../../ui/query-view.tsx'
import { useGridState } from '../use-grid-state.ts'
import type { LineSearch } from './line-search.ts'

interface ReportGridProps<Row> {
  /** The report's name among what the device keeps, and for screen readers. */
  list: string
  label: string
  columns: readonly GridColumn<Row>[]
  rows: readonly Row[] | undefined
  keyOf: (row: Row) => string
  onOpen?: (row: Row) => void
  /** How many there are in all, where that is known. */
  total?: number | undefined
  search: LineSearch
  onSearch: (search: LineSearch) => void
  query: {
    error: Error | null
    refetch: () => unknown
    hasNextPage?: boolean
    isFetchingNextPage?: boolean
    fetchNextPage?: () => unknown
  }
}

/** The rows of a report. */
export function ReportGrid<Row extends object>(props: ReportGridProps<Row>) {
  const { list, label, columns, rows, keyOf, onOpen, total, search, onSearch, query } = props
  const t = useTranslations('line')
  const grid = useGridState({ list: `line-${list}`, columns, search, onSearch })
  return (
    <DataGrid
      {...grid}
      label={label}
      columns={columns}
      rows={rows}
      keyOf={keyOf}
      {...(onOpen === undefined ? {} : { onOpen })}
      {...(total === undefined ? {} : { total })}
      error={query.error}
      onRetry={() => void query.refetch()}
      empty={<EmptyNote title={t('none')}>{t('none_hint')}</EmptyNote>}
      more={
        <LoadMore
          hasMore={query.hasNextPage ?? false}
          isBusy={query.isFetchingNextPage ?? false}
          onMore={() => void query.fetchNextPage?.()}
        />
      }
    />
  )
}

/** A column of an amount in Baht. */
export function amountColumn<Row>(name: string, label: string, of: (row: Row) => number): GridColumn<Row> {
  return {
    name,
    label,
    isFigure: true,
    text: (row) => (of(row) / 100).toFixed(2),
    cell: (row) => formatBaht(of(row)),
  }
}

export function countColumn<Row>(name: string, label: string, of: (row: Row) => number): GridColumn<Row> {
  return { name, label, isFigure: true, text: (row) => String(of(row)), cell: (row) => formatCount(of(row)) }
}
