import type { ChangedTicket, Winner } from '@megalot/contract'
import { betTypeByCode } from '@megalot/rules'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useLocale, useTranslations } from 'use-intl'
import { localizedName } from '../../../lib/i18n/localized-name.ts'
import { formatDay, formatInstant } from '../../../lib/format/dates.ts'
import { formatBaht } from '../../../lib/format/money.ts'
import type { GridColumn } from '../../../ui/grid/grid-column.ts'
import type { DownlineSearch } from './downline-search.ts'
import { changesQuery, downlineSpan, outstandingQuery, summaryPagesQuery, typesQuery, winnersQuery } from './queries.ts'
import { amountColumn, countColumn, periodColumn, textColumn, ticketColumn } from './report-columns.tsx'
import type { ReportRows } from './report-rows.ts'
import { summaryColumns, summarySums, toSummedRow } from './report-sums.ts'
import type { SummedRow } from './report-sums.ts'
import { useReportChair } from './use-report-chair.ts'

export interface TableProps {
  search: DownlineSearch
  onSearch: (search: DownlineSearch) => void
  /** The component for rows: a grid on screen, a table on paper. */
  Rows: ReportRows
}

/** Outstanding stakes by the users directly below. */
export function OutstandingTable({ search, onSearch, Rows }: TableProps) {
  const t = useTranslations('downline')
  const query = useInfiniteQuery(outstandingQuery(search))
  const navigate = useNavigate()
  const first = query.data?.pages[0]
  type Row = NonNullable<typeof first>['data'][number]
  const columns: readonly GridColumn<Row>[] = [
    { ...textColumn<Row>('username', t('user'), ({ username }) => username), isRowName: true },
    countColumn('tickets', t('tickets'), ({ sums }) => sums.ticket_count),
    amountColumn('received', t('received'), ({ sums }) => sums.received_satang),
    amountColumn('discount', t('discount'), ({ sums }) => sums.discount_satang),
    amountColumn('net', t('net'), ({ sums }) => sums.net_satang),
  ]
  return (
    <Rows
      totals={
        first &&
        t('outstanding_totals', {
          count: first.totals.ticket_count,
          received: formatBaht(first.totals.received_satang),
          net: formatBaht(first.totals.net_satang),
        })
      }
      list="outstanding"
      label={t('report.outstanding')}
      columns={columns}
      rows={query.data?.pages.flatMap(({ data }) => data)}
      total={first?.row_count}
      keyOf={({ user_id }) => String(user_id)}
      onOpen={({ user_id }) => void navigate({ to: '/people/$user_id', params: { user_id: String(user_id) } })}
      {...{ search, onSearch, query }}
    />
  )
}

/** Settled periods by bet type and package. */
export function TypesTable({ search, onSearch, Rows }: TableProps) {
  const t = useTranslations('downline')
  const language = useLocale()
  const query = useQuery(typesQuery(search))
  type Row = NonNullable<typeof query.data>['data'][number]
  const columns: readonly GridColumn<Row>[] = [
    {
      ...textColumn<Row>('bet_type', t('bet_type'), ({ bet_type }) => localizedName(betTypeByCode[bet_type], language)),
      isRowName: true,
    },
    textColumn('package', t('package'), ({ package_code }) => package_code),
    amountColumn('received', t('received'), ({ sums }) => sums.received_satang),
    amountColumn('discount', t('discount'), ({ sums }) => sums.discount_satang),
    countColumn('items', t('winning_items'), ({ sums }) => sums.winning_items),
    amountColumn('win', t('win'), ({ sums }) => sums.win_satang),
    amountColumn('member', t('member_total'), ({ sums }) => sums.total_satang),
  ]
  const { totals, uncounted_periods = 0 } = query.data ?? {}
  const words = [
    ...(totals === undefined
      ? []
      : [
          t('type_totals', {
            received: formatBaht(totals.received_satang),
            discount: formatBaht(totals.discount_satang),
            win: formatBaht(totals.win_satang),
            total: formatBaht(totals.total_satang),
          }),
        ]),
    ...(uncounted_periods === 0 ? [] : [t('uncounted_periods', { count: uncounted_periods })]),
  ]
  return (
    <Rows
      totals={words.length === 0 ? undefined : words.join(' ')}
      list="types"
      label={t('report.types')}
      columns={columns}
      rows={query.data?.data}
      keyOf={({ bet_type, package_code }) => `${bet_type} ${package_code}`}
      {...{ search, onSearch, query }}
    />
  )
}

/** Tickets that have won. */
export function WinnersTable({ search, onSearch, Rows }: TableProps) {
  const t = useTranslations('downline')
  const language = useLocale()
  const navigate = useNavigate()
  const query = useInfiniteQuery(winnersQuery(search))
  const first = query.data?.pages[0]
  const columns: readonly GridColumn<Winner>[] = [
    ticketColumn(t('ticket')),
    textColumn('username', t('user'), ({ username }) => username),
    periodColumn(t('period'), ({ period }) => period),
    {
      name: 'created_at',
      label: t('placed_at'),
      text: ({ created_at }) => created_at,
      cell: ({ created_at }) => formatInstant(created_at, language, 'dayAndTime'),
      width: 'minmax(8.5rem, 1fr)',
    },
    countColumn('items', t('winning_items'), ({ item_count }) => item_count),
    amountColumn('received', t('received'), ({ received_satang }) => received_satang),
    amountColumn('win', t('win'), ({ win_satang }) => win_satang),
  ]
  return (
    <Rows
      totals={first && t('winner_totals', { count: first.row_count, win: formatBaht(first.win_satang) })}
      list="winners"
      label={t('report.winners')}
      columns={columns}
      rows={query.data?.pages.flatMap(({ data }) => data)}
      total={first?.row_count}
      keyOf={({ order_id }) => String(order_id)}
      onOpen={({ order_id }) => void navigate({ to: '/bills/$order_id', params: { order_id: String(order_id) } })}
      {...{ search, onSearch, query }}
    />
  )
}

const minutesOf = ({ ms_before_close }: ChangedTicket): number => Math.round(ms_before_close / 60_000)

/** Tickets that were cancelled, deleted, voided or returned. */
export function ChangesTable({ search, onSearch, Rows }: TableProps) {
  const t = useTranslations('downline')
  const eventName = useTranslations('downline.event')
  const language = useLocale()
  const navigate = useNavigate()
  const query = useInfiniteQuery(changesQuery(search))
  // Together no wider than a screen of 1366 pixels: the reason is not cut off.
  const columns: readonly GridColumn<ChangedTicket>[] = [
    { ...ticketColumn<ChangedTicket>(t('ticket')), width: 'minmax(4.5rem, 0.8fr)' },
    {
      name: 'at',
      label: t('changed_at'),
      text: ({ at }) => at,
      cell: ({ at }) => formatInstant(at, language, 'dayAndTime'),
      width: 'minmax(7.25rem, 1fr)',
    },
    textColumn('event', t('change'), ({ event }) => eventName(event)),
    { ...textColumn<ChangedTicket>('username', t('user'), ({ username }) => username), width: 'minmax(5.5rem, 1fr)' },
    {
      ...textColumn<ChangedTicket>(
        'actor',
        t('actor'),
        ({ actor, is_by_office }) => actor ?? t(is_by_office ? 'office' : 'system'),
      ),
      width: 'minmax(5.5rem, 1fr)',
    },
    { ...periodColumn<ChangedTicket>(t('period'), ({ period }) => period), width: 'minmax(11rem, 1.9fr)' },
    {
      name: 'minutes',
      label: t('minutes_before_close'),
      isFigure: true,
      text: (row) => String(minutesOf(row)),
      cell: (row) => String(minutesOf(row)).replace('-', '−'),
      width: 'minmax(4rem, 0.8fr)',
    },
    {
      ...amountColumn<ChangedTicket>('given_back', t('given_back'), ({ given_back_satang }) => given_back_satang),
      width: 'minmax(5rem, 1fr)',
    },
    {
      ...amountColumn<ChangedTicket>('net_left', t('net_left'), ({ net_left_satang }) => net_left_satang),
      width: 'minmax(5rem, 1fr)',
    },
    {
      ...textColumn<ChangedTicket>('reason', t('reason'), ({ reason }) => reason ?? ''),
      width: 'minmax(5rem, 1fr)',
    },
  ]
  return (
    <Rows
      list="changed"
      label={t('report.changed')}
      columns={columns}
      rows={query.data?.pages.flatMap(({ data }) => data)}
      keyOf={({ change_id }) => String(change_id)}
      onOpen={({ order_id }) => void navigate({ to: '/bills/$order_id', params: { order_id: String(order_id) } })}
      {...{ search, onSearch, query }}
    />
  )
}

/**
 * The settled periods of the days, as the house closes them: what came in, what was paid, what is left. Several days are summed by day,
 * and each is opened to its periods.
 */
export function DailyCloseTable({ search, onSearch, Rows }: TableProps) {
  const t = useTranslations('downline')
  const language = useLocale()
  const sides = useTranslations('reports.chair')
  const { date_from, date_to } = downlineSpan(search)
  const isOneDay = date_from === date_to
  const query = useInfiniteQuery(summaryPagesQuery(search, isOneDay ? 'period' : 'day'))
  const first = query.data?.pages[0]
  const nameColumn = isOneDay
    ? periodColumn<SummedRow>(t('period'), ({ period }) => period)
    : textColumn<SummedRow>('day', t('day'), ({ day }) => (day ? formatDay(day, language) : ''))
  const columns: readonly GridColumn<SummedRow>[] = [
    { ...nameColumn, isRowName: true },
    ...summaryColumns(t, sides, useReportChair(search)),
  ]
  return (
    <Rows
      totals={
        first &&
        t(isOneDay ? 'close_totals' : 'close_day_totals', {
          count: first.row_count,
          own: formatBaht(first.totals.level.total_satang),
          pending: formatBaht(first.pending.received_satang),
          refunded: formatBaht(first.refunded.refund_satang),
        })
      }
      list={isOneDay ? 'close' : 'close-days'}
      label={t('report.close')}
      columns={columns}
      rows={query.data?.pages.flatMap(({ rows }) => rows).map(toSummedRow)}
      sums={summarySums(t, first)}
      total={first?.row_count}
      keyOf={({ period, day }) => period?.period_code ?? day ?? ''}
      {...(isOneDay
        ? {}
        : { onOpen: ({ day }: SummedRow) => day && onSearch({ ...search, date_from: day, date_to: day }) })}
      {...{ search, onSearch, query }}
    />
  )
}
