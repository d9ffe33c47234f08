import { getRouteApi } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useTranslations } from 'use-intl'
import { ReportBar } from '../../../shared/reports/report-bar.tsx'
import { PageTitle } from '../../../ui/page-title.tsx'
import { SegmentedControl } from '../../../ui/segmented-control.tsx'
import { dropUndefined } from '../../../lib/search/drop-undefined.ts'
import { FileList } from './file-tools.tsx'
import classes from './downline.module.css'
import { downlineReports, subjectOf } from './downline-search.ts'
import type { DownlineReport, DownlineSearch } from './downline-search.ts'
import { DownlineReportView } from './downline-report-view.tsx'
import { downlineSpan } from './queries.ts'
import { ReportGrid } from './report-grid.tsx'
import { TreePath } from './win-loss-tree.tsx'

const route = getRouteApi('/main/downline')

/** The reports of the line: win and loss as a tree down to a ticket, and what else has to be accounted for. */
export function DownlinePage() {
  const t = useTranslations('downline')
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { report = 'tree' } = search
  // On a phone not all names fit: the chosen one is in sight.
  const reports = useRef<HTMLDivElement>(null)
  useEffect(() => {
    reports.current
      ?.querySelector(`input[value="${report}"]`)
      ?.closest('label')
      ?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [report])
  const setSearch = (next: DownlineSearch): void => void navigate({ search: next })
  return (
    <>
      <PageTitle title={t('title')} />
      <div ref={reports} className={classes.reports}>
        <SegmentedControl<DownlineReport>
          label={t('choose')}
          value={report}
          choices={downlineReports.map((value) => ({ value, label: t(`report.${value}`) }))}
          onChange={(value) => setSearch({ ...subjectOf(search), ...(value === 'tree' ? {} : { report: value }) })}
        />
      </div>
      <ReportBar
        search={search}
        span={downlineSpan(search)}
        onChange={(about) => {
          // Another subject has another tree.
          const isSame = about.user_id === search.user_id
          const { report: chosen, path, period_code } = search
          const place = isSame ? dropUndefined({ path, period_code }) : {}
          setSearch({ ...subjectOf(about), ...place, ...(chosen === undefined ? {} : { report: chosen }) })
        }}
      />
      {report === 'tree' && <TreePath search={search} onSearch={setSearch} />}
      <FileList />
      <DownlineReportView search={search} onSearch={setSearch} Rows={ReportGrid} />
    </>
  )
}
