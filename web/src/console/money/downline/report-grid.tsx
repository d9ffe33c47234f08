import { useTranslations } from 'use-intl'
import { DataGrid } from '../../../ui/grid/data-grid.tsx'
import { EmptyNote } from '../../../ui/query-view.tsx'
import { useGridState } from '../../lists/use-grid-state.ts'
import { FileTools } from './file-tools.tsx'
import type { ReportRowsProps } from './report-rows.ts'

/** The rows of a report on the screen. */
export function ReportGrid<Row extends object>(props: ReportRowsProps<Row>) {
  const { list, label, columns, rows, keyOf, onOpen, head, totals, total, sums, search, onSearch, query } = props
  const t = useTranslations('downline')
  const grid = useGridState({ list: `line-${list}`, columns, search, onSearch })
  return (
    <>
      {head}
      {totals !== undefined && <p>{totals}</p>}
      <DataGrid
        {...grid}
        label={label}
        columns={columns}
        rows={rows}
        keyOf={keyOf}
        {...(onOpen === undefined ? {} : { onOpen })}
        {...(total === undefined ? {} : { total })}
        {...(sums === undefined ? {} : { sums })}
        error={query.error}
        onRetry={() => void query.refetch()}
        fileTools={<FileTools search={search} />}
        empty={<EmptyNote title={t('none')}>{t('none_hint')}</EmptyNote>}
        more={{
          hasMore: query.hasNextPage ?? false,
          isBusy: query.isFetchingNextPage ?? false,
          onMore: () => void query.fetchNextPage?.(),
        }}
      />
    </>
  )
}
