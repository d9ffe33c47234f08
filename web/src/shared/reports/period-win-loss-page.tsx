import { useInfiniteQuery } from '@tanstack/react-query'
import IconArrowLeft from '~icons/arrow-left'
import { Link, getRouteApi } from '@tanstack/react-router'
import { betTypeByCode } from '@megalot/rules'
import { useLocale, useTranslations } from 'use-intl'
import { localizedName } from '../../lib/i18n/localized-name.ts'
import { formatInstant } from '../../lib/format/dates.ts'
import { formatBaht, formatSignedBaht } from '../../lib/format/money.ts'
import { useUser } from '../../lib/user/user-query.ts'
import { toRefusal } from '../../lib/errors/refusal.ts'
import { InfiniteScroll } from '../../ui/infinite-scroll.tsx'
import { Row, Text } from '../../ui/layout.tsx'
import { VirtualTable } from '../../ui/virtual-table.tsx'
import { MarketName } from '../markets/market-name.tsx'
import { TicketLink } from '../tickets/orders/ticket-link.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { Skeleton, EmptyNote, QueryView } from '../../ui/query-view.tsx'
import { RefreshButton } from '../../ui/refresh-button.tsx'
import classes from './period-win-loss-page.module.css'
import { periodTicketsQuery } from './queries.ts'
import tables from './report-tables.module.css'
import { FilterRow } from './reports-page.tsx'
import { WinLossSums } from './win-loss-sums.tsx'

const route = getRouteApi('/main/reports/win-loss/$period_code')

/** A member's tickets of one period, with the items that match the filter. */
export function PeriodWinLossPage() {
  const t = useTranslations('reports')
  const { period_code } = route.useParams()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { filter = 'all' } = search
  const isOwn = useUser().level === 'member'
  const query = useInfiniteQuery(periodTicketsQuery(period_code, search))
  const isUnknown = query.error !== null && [400, 403, 404].includes(toRefusal(query.error).http ?? 0)
  return (
    <>
      <Link to="/reports" className={classes.back}>
        <IconArrowLeft size={20} stroke={1.75} aria-hidden="true" />
        {t('to_periods')}
      </Link>
      <PageTitle
        title={search.username === undefined ? t('one_period') : t('one_period_of', { username: search.username })}
      >
        <RefreshButton isBusy={query.isRefetching} onRefresh={() => void query.refetch()} />
      </PageTitle>
      <FilterRow
        filter={filter}
        onChange={(next) => void navigate({ search: { ...search, filter: next }, replace: true })}
      />
      {isUnknown ? (
        <EmptyNote title={t('no_such_period')} />
      ) : (
        <QueryView query={query} skeleton={<Skeleton count={5} height={96} gap={4} />}>
          {({ pages }) => (
            <>
              <Text size="body">
                <MarketName period={pages[0]!.period} />
              </Text>
              <WinLossSums totals={pages[0]!.totals} isOfMembers={!isOwn} />
              <TicketsTable
                rows={pages.flatMap(({ data }) => data)}
                isSettled={pages[0]!.period.status === 'settled'}
              />
            </>
          )}
        </QueryView>
      )}
      <InfiniteScroll
        hasMore={query.hasNextPage}
        isBusy={query.isFetching}
        isPaused={query.isFetchNextPageError || isUnknown}
        onMore={() => void query.fetchNextPage()}
      />
    </>
  )
}

type TicketRow = NonNullable<ReturnType<typeof useTickets>['data']>['pages'][number]['data'][number]
// Only for its type.
const useTickets = () => useInfiniteQuery(periodTicketsQuery('', {}))

/** Of a ticket with hundreds of items the first are shown; all are on its own page. */
const MAX_ITEMS = 60

function TicketsTable({ rows, isSettled }: { rows: readonly TicketRow[]; isSettled: boolean }) {
  const t = useTranslations('reports')
  const status = useTranslations('common.item_status')
  const language = useLocale()
  if (rows.length === 0) return <EmptyNote title={t('none_by_filter')} />
  return (
    <VirtualTable
      label={t('one_period')}
      className={tables.tickets}
      rowPx={110}
      rows={rows}
      keyOf={({ order_id }) => order_id}
      columns={[
        { name: 'ticket', label: t('entry_ticket') },
        { name: 'items', label: t('items') },
        { name: 'received', label: t('sums.received'), isFigure: true },
        { name: 'discount', label: t('sums.discount'), isFigure: true },
        { name: 'win', label: t('sums.win'), isFigure: true },
        { name: 'total', label: t('sums.total'), isFigure: true },
      ]}
      cellsOf={(row) => ({
        ticket: (
          <Row as="span" gap={[0, 12]} align="center">
            <TicketLink order_id={row.order_id} className={tables.link} />
            <Text as="span" size="small" tone="dim">
              {formatInstant(row.created_at, language, 'dayAndTime')}
            </Text>
            {row.note !== '' && (
              <Text as="span" size="small" tone="dim">
                {row.note}
              </Text>
            )}
          </Row>
        ),
        items: (
          <Row as="ul" gap={[4, 6]}>
            {row.items.slice(0, MAX_ITEMS).map((item) => (
              <li key={item.line_no} className={tables.item} data-won={item.status === 'won' || undefined}>
                <span>{localizedName(betTypeByCode[item.bet_type], language)}</span>
                <strong>{item.number}</strong>
                {item.status === 'won' && <span>{formatSignedBaht(item.win_satang)}</span>}
              </li>
            ))}
            {row.items.length > MAX_ITEMS && <li>{t('more_items', { count: row.items.length - MAX_ITEMS })}</li>}
          </Row>
        ),
        received: formatBaht(row.received_satang),
        discount: formatBaht(row.discount_satang),
        win: formatBaht(row.win_satang),
        total: isSettled ? (
          <Text as="span" strong className={tables.total} data-sign={Math.sign(row.total_satang)}>
            {formatSignedBaht(row.total_satang)}
          </Text>
        ) : (
          <Text as="span" size="small" tone="dim">
            {status('awaiting_result')}
          </Text>
        ),
      })}
    />
  )
}
