import { CONSOLE_BASE } from '@megalot/contract/browser'
import { getRouteApi } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslations } from 'use-intl'
import { PrintSheet } from '../../../shared/print/print-sheet.tsx'
import { AboutDownline } from '../../../shared/reports/about-downline.tsx'
import { EmptyNote, QueryView, Skeleton } from '../../../ui/query-view.tsx'
import { sumCell } from '../../../ui/grid/grid-column.ts'
import type { GridSum } from '../../../ui/grid/grid-column.ts'
import tables from '../../../ui/table.module.css'
import { WideTable } from '../../../ui/wide-table.tsx'
import { usersOf } from './downline-search.ts'
import { DownlineReportView } from './downline-report-view.tsx'
import { downlineSpan } from './queries.ts'
import type { ReportRowsProps } from './report-rows.ts'

const route = getRouteApi('/print/downline')

/** Paper takes so many rows; who needs more has the file. */
const MAX_ROWS = 500

/** A report of the line on paper, as the page showed it that it was asked from. */
export function PrintDownlinePage() {
  const search = route.useSearch()
  return <DownlineReportView search={search} onSearch={() => {}} Rows={ReportPaper} />
}

/** The rows of a report on paper: all that are asked for, one part after another. */
function ReportPaper<Row extends object>(props: ReportRowsProps<Row>) {
  const { label, columns, rows, keyOf, head, totals, sums = [], query, search } = props
  const t = useTranslations('downline')
  const { hasNextPage = false, isFetchingNextPage = false, fetchNextPage } = query
  const isCut = hasNextPage && (rows?.length ?? 0) >= MAX_ROWS
  const wantsMore = hasNextPage && !isCut && !isFetchingNextPage
  useEffect(() => {
    if (wantsMore) void fetchNextPage?.()
  }, [wantsMore, fetchNextPage])
  const path = [...usersOf(search).map(({ username }) => username), search.period_code].filter(Boolean)
  return (
    <PrintSheet
      title={label}
      backTo={CONSOLE_BASE + '/downline'}
      isReady={rows !== undefined && !wantsMore && !isFetchingNextPage}
    >
      <AboutDownline search={search} span={downlineSpan(search)} />
      {path.length > 0 && <p>{path.join(' › ')}</p>}
      {head}
      {totals !== undefined && <p>{totals}</p>}
      <QueryView
        query={{ data: rows, error: query.error, refetch: query.refetch }}
        skeleton={<Skeleton count={6} height={40} />}
      >
        {(all) =>
          all.length === 0 ? (
            <EmptyNote title={t('none')} />
          ) : (
            <PaperTable label={label} columns={columns} rows={all.slice(0, MAX_ROWS)} keyOf={keyOf} sums={sums} />
          )
        }
      </QueryView>
      {isCut && <p>{t('paper_cut', { count: MAX_ROWS })}</p>}
    </PrintSheet>
  )
}

/** More columns than these need the long side of the paper. */
const MAX_PORTRAIT_COLUMNS = 8

const kindOf = (isFigure: boolean | undefined) => (isFigure ? { className: tables.figure } : {})

type PaperTableProps<Row> = Pick<ReportRowsProps<Row>, 'label' | 'columns' | 'keyOf'> & {
  rows: readonly Row[]
  sums: readonly GridSum<Row>[]
}

function PaperTable<Row>({ label, columns, rows, keyOf, sums }: PaperTableProps<Row>) {
  return (
    <WideTable label={label}>
      <table
        className={`${tables.table} ${tables.paper}`}
        data-has-levels={columns.length > MAX_PORTRAIT_COLUMNS || undefined}
      >
        <thead>
          <tr>
            {columns.map(({ name, label: heading, isFigure }) => (
              <th key={name} scope="col" {...kindOf(isFigure)}>
                {heading}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ name, cell, isFigure }) => (
                <td key={name} {...kindOf(isFigure)}>
                  {cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
        {/* The last rows of the last page, and not the foot of each page. */}
        <tbody className={tables.sums}>
          {sums.map((sum) => (
            <tr key={sum.label}>
              {columns.map((column, index) =>
                index === 0 ? (
                  <th key={column.name} scope="row">
                    {sumCell(column, index, sum)}
                  </th>
                ) : (
                  <td key={column.name} {...kindOf(column.isFigure)}>
                    {sumCell(column, index, sum)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </WideTable>
  )
}
