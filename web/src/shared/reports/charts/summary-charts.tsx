import type { WinLossSummary } from '@megalot/contract'
import { useQuery } from '@tanstack/react-query'
import { useLocale, useTranslations } from 'use-intl'
import { localizedName } from '../../../lib/i18n/localized-name.ts'
import { formatDay } from '../../../lib/format/dates.ts'
import { marketsQuery } from '../../markets/queries.ts'
import { useUser } from '../../../lib/user/user-query.ts'
import { Skeleton, QueryView } from '../../../ui/query-view.tsx'
import { chartQuery, overTimeBody, summaryBody } from '../queries.ts'
import { codesOf } from '../report-search.ts'
import type { ReportSearch } from '../report-search.ts'
import classes from './charts.module.css'
import { LuckiestNumbers } from './luckiest-numbers.tsx'
import { ShareChart } from './share-chart.tsx'
import { TimeChart } from './time-chart.tsx'

/** The summary as a picture over time. */
export function ChartOverTime({ search }: { search: ReportSearch }) {
  const user = useUser()
  const body = overTimeBody(search)
  const query = useQuery(chartQuery(body))
  return (
    <div data-testid="chart-over-time">
      <QueryView query={query} skeleton={<Skeleton count={1} height={300} />}>
        {(summary) => (
          <OverTime
            summary={summary}
            isByMonth={body.group_by === 'month'}
            isOwn={user.level === 'member'}
            name={search.username}
          />
        )}
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
  /** A member's own wins. Of others: the own part of the level whose report it is, or what the member has lost. */
  isOwn: boolean
  /** Somebody below the reader, whose report it is. */
  name: string | undefined
}

function OverTime({ summary, isByMonth, isOwn, name }: OverTimeProps) {
  const t = useTranslations('reports.charts')
  const language = useLocale()
  const { subject } = summary
  const isOfMember = !isOwn && subject.level === 'member'
  const points = summary.rows
    .map(({ day, member, level, due_satang }) => ({
      day: day ?? '',
      label: formatDay(isByMonth ? `${day}-01` : (day ?? ''), language, isByMonth ? 'month' : 'shortDay'),
      total_satang: isOfMember ? due_satang : (isOwn ? member : level).total_satang,
    }))
    .toReversed()
  if (points.length === 0) return null
  const ofOther = { name: subject.username }
  const title = isOfMember
    ? t('time_member', ofOther)
    : name === undefined
      ? t(isOwn ? 'time_own' : 'time_level')
      : t('time_other', ofOther)
  return <TimeChart title={title} points={points} />
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
