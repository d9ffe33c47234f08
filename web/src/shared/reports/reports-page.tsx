import type { WinLoss } from '@megalot/contract'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import IconChevronDown from '~icons/chevron-down'
import { Link, getRouteApi } from '@tanstack/react-router'
import { Suspense, lazy, useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { formatDay } from '../../lib/format/dates.ts'
import { formatBaht, formatCount, formatSignedBaht } from '../../lib/format/money.ts'
import { useUser } from '../../lib/user/user-query.ts'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { InfiniteScroll } from '../../ui/infinite-scroll.tsx'
import { Row, Text } from '../../ui/layout.tsx'
import { VirtualTable } from '../../ui/virtual-table.tsx'
import { MarketName } from '../markets/market-name.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { Skeleton, EmptyNote, QueryView } from '../../ui/query-view.tsx'
import { OwnSums } from './own-sums.tsx'
import { chartQuery, overTimeBody, periodsWinLossQuery, usualSpan } from './queries.ts'
import { ReportBar } from './report-bar.tsx'
import { winLossFilters } from './report-search.ts'
import type { ReportSearch } from './report-search.ts'
import { ReportTabs } from './report-tabs.tsx'
import { ReportTools } from './report-tools.tsx'
import tables from './report-tables.module.css'
import { PendingLine, RefundedLine, WinLossSums } from './win-loss-sums.tsx'

const route = getRouteApi('/main/reports')

const ChartOverTime = lazy(async () => ({ default: (await import('./charts/summary-charts.tsx')).ChartOverTime }))

/** Win and loss by period, with its picture and the four filters. */
export function ReportsPage() {
  const t = useTranslations('reports')
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { filter = 'all' } = search
  const isOwn = useUser().level === 'member'
  const query = useInfiniteQuery(periodsWinLossQuery(search))
  const open = (next: typeof search): void => void navigate({ search: next, replace: true })
  return (
    <>
      <PageTitle title={t('title')} />
      <ReportTabs />
      <ReportBar
        search={search}
        span={usualSpan(search)}
        filterName={filter === 'all' ? undefined : t(`filter.${filter}`)}
        tools={
          <ReportTools
            kind="win-loss"
            search={search}
            isBusy={query.isRefetching}
            onRefresh={() => void query.refetch()}
          />
        }
        onChange={open}
      >
        <FilterRow filter={filter} onChange={(next) => open({ ...search, filter: next })} />
      </ReportBar>
      <QueryView query={query} skeleton={<Skeleton count={7} height={64} gap={4} />}>
        {({ pages }) => (
          <>
            {isOwn ? (
              <WinLossSums totals={pages[0]!.totals} />
            ) : filter === 'all' ? (
              <OwnSumsOf search={search} />
            ) : (
              <WinLossSums totals={pages[0]!.totals} isOfMembers />
            )}
            {filter === 'all' && (
              <Suspense fallback={<Skeleton count={1} height={280} />}>
                <ChartOverTime search={search} />
              </Suspense>
            )}
            {filter === 'all' && <PendingLine pending={pages[0]!.pending} />}
            {filter === 'all' && <RefundedLine refunded={pages[0]!.refunded} />}
            <PeriodsTable rows={pages.flatMap(({ data }) => data)} search={search} />
          </>
        )}
      </QueryView>
      <InfiniteScroll
        hasMore={query.hasNextPage}
        isBusy={query.isFetching}
        isPaused={query.isFetchNextPageError}
        onMore={() => void query.fetchNextPage()}
      />
    </>
  )
}

/** An operator's sums, of the summary that the chart draws. */
function OwnSumsOf({ search }: { search: ReportSearch }) {
  const query = useQuery(chartQuery(overTimeBody(search)))
  return (
    <QueryView query={query} skeleton={<Skeleton count={1} height={132} />}>
      {(summary) => <OwnSums summary={summary} username={search.username} />}
    </QueryView>
  )
}

type Filter = (typeof winLossFilters)[number]

export function FilterRow({ filter, onChange }: { filter: Filter; onChange: (filter: Filter) => void }) {
  const t = useTranslations('reports.filter')
  return (
    <div className={tables.choices}>
      <SegmentedControl<Filter>
        label={t('label')}
        value={filter}
        choices={winLossFilters.map((value) => ({ value, label: t(value) }))}
        onChange={onChange}
        fill
      />
    </div>
  )
}

type PeriodRow = WinLoss & { period: Parameters<typeof MarketName>[0]['period'] }

function PeriodsTable({ rows, search }: { rows: readonly PeriodRow[]; search: ReportSearch }) {
  const t = useTranslations('reports')
  const common = useTranslations('common')
  const user = useUser()
  const language = useLocale()
  // On a phone a row shows the period and its result; a press shows the other figures.
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set())
  if (rows.length === 0) {
    return (
      <EmptyNote title={t('none_in_span')}>
        {user.level === 'member' ? <Link to="/">{t('none_hint')}</Link> : t('none_in_span_hint')}
      </EmptyNote>
    )
  }
  // Of somebody with a downline the tickets are in the list of bills.
  const isOwn = user.level === 'member'
  const { filter, user_id, username } = search
  const toggle = (period_code: string): void => {
    const next = new Set(open)
    if (!next.delete(period_code)) next.add(period_code)
    setOpen(next)
  }
  return (
    <VirtualTable
      label={t('tabs.win_loss')}
      className={tables.periods}
      rowPx={56}
      rows={rows}
      keyOf={({ period }) => period.period_code}
      columns={[
        { name: 'period', label: t('period') },
        { name: 'tickets', label: t('sums.tickets'), isFigure: true },
        { name: 'received', label: t('sums.received'), isFigure: true },
        { name: 'discount', label: t('sums.discount'), isFigure: true },
        { name: 'win', label: t('sums.win'), isFigure: true },
        { name: 'total', label: t(isOwn ? 'sums.total' : 'chair.members'), isFigure: true },
      ]}
      cellsOf={(row) => ({
        period: (
          <Row as="span" gap={[0, 14]} align="center" className={tables.name}>
            <MarketName period={row.period} />
            <button
              type="button"
              className={tables.opener}
              aria-expanded={open.has(row.period.period_code)}
              aria-label={t('details')}
              onClick={() => toggle(row.period.period_code)}
            >
              <IconChevronDown size={20} stroke={1.75} aria-hidden="true" />
            </button>
            {isOwn || user_id !== undefined ? (
              <Link
                to="/reports/win-loss/$period_code"
                params={{ period_code: row.period.period_code }}
                search={{ ...(filter && { filter }), ...(user_id && { user_id }), ...(username && { username }) }}
                className={tables.link}
              >
                {t('into_period')}
                <span className="visually-hidden"> {formatDay(row.period.period_date, language)}</span>
              </Link>
            ) : (
              <Text as="span" size="small" tone="dim">
                {common(`period_status.${row.period.status}`)}
              </Text>
            )}
          </Row>
        ),
        tickets: formatCount(row.ticket_count),
        received: formatBaht(row.received_satang),
        discount: formatBaht(row.discount_satang),
        win: formatBaht(row.win_satang),
        total: <Total row={row} isNeutral={!isOwn} />,
      })}
    />
  )
}

/** Undecided is never shown as lost. */
function Total({ row, isNeutral }: { row: PeriodRow; isNeutral: boolean }) {
  const t = useTranslations('common.item_status')
  if (row.period.status !== 'settled')
    return (
      <Text as="span" size="small" tone="dim">
        {t('awaiting_result')}
      </Text>
    )
  return (
    <Text as="span" strong className={tables.total} data-sign={isNeutral ? undefined : Math.sign(row.total_satang)}>
      {formatSignedBaht(row.total_satang)}
    </Text>
  )
}
