import { getRouteApi } from '@tanstack/react-router'
import { useTranslations } from 'use-intl'
import { summarySpan } from '../../features/reports/queries.ts'
import { ReportBar } from '../../features/reports/report-bar.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { dropUndefined } from '../../lib/search/drop-undefined.ts'
import { lineReports, subjectOf } from './line-search.ts'
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
        onChange={(value) => setSearch({ ...subjectOf(search), ...(value === 'tree' ? {} : { report: value }) })}
      />
      <ReportBar
        search={search}
        span={summarySpan(search)}
        onChange={(about) => {
          // Another subject has another tree.
          const isSame = about.user_id === search.user_id
          const { report: chosen, path, period_code } = search
          const place = isSame ? dropUndefined({ path, period_code }) : {}
          setSearch({ ...subjectOf(about), ...place, ...(chosen === undefined ? {} : { report: chosen }) })
        }}
      />
      <Report search={search} onSearch={setSearch} />
    </>
  )
}
