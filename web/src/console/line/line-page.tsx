import { getRouteApi } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { summarySpan } from '../../features/reports/queries.ts'
import { ReportBar } from '../../features/reports/report-bar.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { lineReports } from './line-search.ts'
import type { LineReport, LineSearch } from './line-search.ts'
import { ChangesTable, DailyCloseTable, OutstandingTable, WinnersTable } from './line-tables.tsx'
import { WinLossTree } from './win-loss-tree.tsx'

const route = getRouteApi('/main/line')

const reports = {
  tree: WinLossTree,
  outstanding: OutstandingTable,
  winners: WinnersTable,
  changed: ChangesTable,
  close: DailyCloseTable,
} as const satisfies Record<LineReport, unknown>

/** The reports of the line: win and loss as a tree down to a ticket, and what else has to be accounted for. */
export function LinePage() {
  const t = useTranslations('line')
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { report = 'tree' } = search
  const setSearch = (next: LineSearch): void => void navigate({ search: next })
  const Report = reports[report]
  return (
    <>
      <PageTitle title={t('title')} />
      <SegmentedControl<LineReport>
        label={t('choose')}
        value={report}
        choices={lineReports.map((value) => ({ value, label: t(`report.${value}`) }))}
        onChange={(value) => {
          const { date_from, date_to, product_code } = search
          setSearch({
            ...(date_from === undefined ? {} : { date_from }),
            ...(date_to === undefined ? {} : { date_to }),
            ...(product_code === undefined ? {} : { product_code }),
            ...(value === 'tree' ? {} : { report: value }),
          })
        }}
      />
      <ReportBar
        search={search}
        span={summarySpan(search)}
        onChange={({ date_from, date_to, product_code }) => {
          const { date_from: _from, date_to: _to, product_code: _code, ...rest } = search
          setSearch({
            ...rest,
            ...(date_from === undefined ? {} : { date_from }),
            ...(date_to === undefined ? {} : { date_to }),
            ...(product_code === undefined ? {} : { product_code }),
          })
        }}
      />
      <Report search={search} onSearch={setSearch} />
    </>
  )
}
