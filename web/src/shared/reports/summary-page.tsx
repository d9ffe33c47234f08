import { Button } from '../../ui/button.tsx'
import type { SummaryGroup } from '@megalot/contract'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Suspense, lazy, useState } from 'react'
import { useTranslations } from 'use-intl'
import { useUser } from '../../lib/user/user-query.ts'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { useErrorMessage } from '../../lib/errors/use-error-message.ts'
import { Alert } from '../../ui/alert.tsx'
import { Row } from '../../ui/layout.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { Skeleton, EmptyNote, QueryView } from '../../ui/query-view.tsx'
import { SUMMARY_PAGE, fetchSummaryFile, summaryBody, summaryQuery, usualSpan, usualGroup } from './queries.ts'
import { ReportBar } from './report-bar.tsx'
import { summaryGroups } from './report-search.ts'
import type { ReportSearch } from './report-search.ts'
import tables from './report-tables.module.css'
import { ReportTabs } from './report-tabs.tsx'
import { ReportTools } from './report-tools.tsx'
import { OwnSums } from './own-sums.tsx'
import { SummaryTable } from './summary-table.tsx'
import { PendingLine, RefundedLine, WinLossSums } from './win-loss-sums.tsx'

const route = getRouteApi('/main/reports/summary')

const ChartOverTime = lazy(async () => ({ default: (await import('./charts/summary-charts.tsx')).ChartOverTime }))
const SummaryCharts = lazy(async () => ({ default: (await import('./charts/summary-charts.tsx')).SummaryCharts }))

/** Win and loss of settled periods over days, by people, markets or time, with its pictures. */
export function SummaryPage() {
  const t = useTranslations('reports')
  const user = useUser()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const isOwn = user.level === 'member'
  const group_by = search.group_by ?? usualGroup(isOwn)
  const [page, setPage] = useState(0)
  const body = summaryBody(search, group_by)
  const query = useQuery(summaryQuery(body, page))
  const open = (next: ReportSearch): void => {
    setPage(0)
    void navigate({ search: next, replace: true })
  }
  return (
    <>
      <PageTitle
        title={search.username === undefined ? t('tabs.summary') : t('summary_of', { username: search.username })}
      />
      <ReportTabs />
      <ReportBar
        search={search}
        span={usualSpan(search)}
        tools={
          <ReportTools
            kind="summary"
            search={search}
            isBusy={query.isRefetching}
            onRefresh={() => void query.refetch()}
            fetchFile={() => fetchSummaryFile(body)}
          />
        }
        onChange={open}
      />
      {query.error === null ? (
        <QueryView query={query} skeleton={<Skeleton count={5} height={72} />}>
          {(summary) => (
            <>
              {isOwn ? (
                <WinLossSums totals={summary.totals.member} />
              ) : (
                <OwnSums summary={summary} username={search.username} />
              )}
              <Suspense fallback={<Skeleton count={1} height={280} />}>
                <ChartOverTime search={search} />
              </Suspense>
              <PendingLine pending={summary.pending} />
              <RefundedLine refunded={summary.refunded} />
              <div className={tables.choices}>
                <SegmentedControl<SummaryGroup>
                  label={t('group.label')}
                  value={group_by}
                  choices={summaryGroups
                    .filter((group) => !isOwn || group !== 'user')
                    .map((value) => ({ value, label: t(`group.${value}`) }))}
                  onChange={(next) => open({ ...search, group_by: next })}
                />
              </div>
              {summary.rows.length === 0 ? (
                <EmptyNote title={t('none_in_span')}>{t('none_in_span_hint')}</EmptyNote>
              ) : (
                <SummaryTable
                  summary={summary}
                  nameHead={t(`group.${group_by}`)}
                  isOwn={isOwn}
                  username={search.username}
                />
              )}
              <Pages page={page} count={Math.ceil(summary.row_count / SUMMARY_PAGE)} onPage={setPage} />
            </>
          )}
        </QueryView>
      ) : (
        <SummaryFailure error={query.error} onRetry={() => void query.refetch()} />
      )}
      <Suspense fallback={<Skeleton count={1} height={300} />}>
        <SummaryCharts search={search} />
      </Suspense>
    </>
  )
}

/** Said in these words, with what the server says of it. */
function SummaryFailure({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const t = useTranslations('reports')
  const common = useTranslations('common.action')
  const errorMessage = useErrorMessage()
  return (
    <>
      <Alert kind="bad" title={t('summary_failed')}>
        {errorMessage(error)}
      </Alert>
      <div>
        <Button variant="default" onClick={onRetry}>
          {common('retry')}
        </Button>
      </div>
    </>
  )
}

function Pages({ page, count, onPage }: { page: number; count: number; onPage: (page: number) => void }) {
  const t = useTranslations('reports.pages')
  if (count <= 1) return null
  return (
    <Row as="nav" nowrap gap={12} align="center" justify="center" aria-label={t('label')}>
      <Button variant="default" disabled={page === 0} onClick={() => onPage(page - 1)}>
        {t('before')}
      </Button>
      <span>{t('at', { page: page + 1, count })}</span>
      <Button variant="default" disabled={page >= count - 1} onClick={() => onPage(page + 1)}>
        {t('next')}
      </Button>
    </Row>
  )
}
