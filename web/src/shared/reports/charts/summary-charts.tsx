import type { WinLossSummary } from '@megalot/contract'
import { useQuery } from '@tanstack/react-query'
import { useLocale, useTranslations } from 'use-intl'
import { localizedName } from '../../../lib/i18n/localized-name.ts'
import { formatDay } from '../../../lib/format/dates.ts'
import { countDays } from '../../../lib/format/day-span.ts'
import { marketsQuery } from '../../markets/queries.ts'
import { useUser } from '../../../lib/user/user-query.ts'
import { Skeleton, QueryView } from '../../../ui/query-view.tsx'
import { chartQuery, summaryBody, usualSpan } from '../queries.ts'
import { codesOf } from '../report-search.ts'
import type { ReportSearch } from '../report-search.ts'
import classes from './charts.module.css'
import { LuckiestNumbers } from './luckiest-numbers.tsx'
import { ShareChart } from './share-chart.tsx'
import { TimeChart } from './time-chart.tsx'

/** Longer spans are drawn by months. */
const MAX_DAYS = 62

/** The summary as a picture over time. */
export function ChartOverTime({ search }: { search: ReportSearch }) {
  const user = useUser()
  const isByMonth = countDays(usualSpan(search)) > MAX_DAYS
  const query = useQuery(chartQuery(summaryBody(search, isByMonth ? 'month' : 'day')))
  return (
    <div data-testid="chart-over-time">
      <QueryView query={query} skeleton={<Skeleton count={1} height={300} />}>
        {(summary) => <OverTime summary={summary} isByMonth={isByMonth} isOwn={user.level === 'member'} />}
      </QueryView>
    </div>
  )
}

/** The summary by market, and for a member its own numbers. */
export function SummaryCharts({ search }: { search: ReportSearch }) {
  const user = useUser()
  const byMarket = useQuery(chartQuery(summaryBody(search, 'product')))
  return (
    <div className={classes.charts} data-testid="charts">
      <QueryView query={byMarket} skeleton={<Skeleton count={1} height={300} />}>
        {(summary) => <ByMarket summary={summary} />}
      </QueryView>
      {user.level === 'member' && <LuckiestNumbers product_code={codesOf(search).join(',') || undefined} />}
    </div>
  )
}

interface OverTimeProps {
  summary: WinLossSummary
  isByMonth: boolean
  /** A member's own wins; of others, what came to the level whose report it is. */
  isOwn: boolean
}

function OverTime({ summary, isByMonth, isOwn }: OverTimeProps) {
  const t = useTranslations('reports.charts')
  const language = useLocale()
  const points = summary.rows
    .map(({ day, member, level }) => ({
      day: day ?? '',
      label: formatDay(isByMonth ? `${day}-01` : (day ?? ''), language, isByMonth ? 'month' : 'shortDay'),
      total_satang: (isOwn ? member : level).total_satang,
    }))
    .toReversed()
  return points.length === 0 ? null : <TimeChart title={t(isOwn ? 'time_own' : 'time_level')} points={points} />
}

function ByMarket({ summary }: { summary: WinLossSummary }) {
  const t = useTranslations('reports.charts')
  const language = useLocale()
  const { data: markets = [] } = useQuery(marketsQuery)
  const shares = summary.rows.map(({ product_code, member }) => {
    const market = markets.find((one) => one.product_code === product_code)
    return {
      key: product_code ?? '',
      label: market === undefined ? (product_code ?? '') : localizedName(market, language),
      received_satang: member.received_satang,
    }
  })
  return <ShareChart title={t('share')} shares={shares} />
}
