import type { OrderSummary } from '@megalot/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, getRouteApi } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { MarketName } from '../../../shared/markets/market-name.tsx'
import { managedOrdersQuery } from './queries.ts'
import { RemovalCell } from './removal-cell.tsx'
import { RemovalSheet } from './removal-sheet.tsx'
import { formatInstant } from '../../../lib/format/dates.ts'
import { formatBaht, formatCount } from '../../../lib/format/money.ts'
import { useUser } from '../../../lib/user/user-query.ts'
import { DataGrid } from '../../../ui/grid/data-grid.tsx'
import type { GridColumn } from '../../../ui/grid/grid-column.ts'
import { PageTitle } from '../../../ui/page-title.tsx'
import { EmptyNote } from '../../../ui/query-view.tsx'
import { RefreshButton } from '../../../ui/refresh-button.tsx'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { Countdown } from '../../../ui/countdown.tsx'
import { isLost, OrderStatusChip, shownStatus } from '../../../ui/order-status-chip.tsx'
import { permissionsOf } from '../../menu.ts'
import type { TicketsSearch } from './tickets-search.ts'
import { useGridState } from '../../lists/use-grid-state.ts'
import { filterOf } from './ticket-filter.ts'
import { useHeldTickets, useTicketHold } from './use-held-tickets.ts'
import { TicketFilters } from './ticket-filters.tsx'

const route = getRouteApi('/main/tickets')

/**
 * What is bet, as it comes in, and any ticket found by what is known of it: opened, deleted before the close, or proposed
 * to be voided after it.
 */
export function TicketsPage() {
  const t = useTranslations('tickets')
  const mayRemove = permissionsOf(useUser()).has('tickets.do')
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const setSearch = (next: TicketsSearch): void => void navigate({ search: next, replace: true })
  const isLive = search.live !== 'off'
  const setLive = (isOn: boolean): void => {
    const { live: _before, ...rest } = search
    setSearch(isOn ? rest : { ...rest, live: 'off' })
  }
  const [chosen, setChosen] = useState<OrderSummary | null>(null)
  const query = useInfiniteQuery(managedOrdersQuery(filterOf(search), isLive))
  const found = useMemo(() => query.data?.pages.flatMap(({ data }) => data), [query.data])
  const { isHeld, handlers } = useTicketHold()
  const { rows, new_count } = useHeldTickets(
    found,
    query.isPlaceholderData ? null : JSON.stringify(filterOf(search)),
    isHeld,
  )
  const columns = useTicketColumns(mayRemove ? setChosen : null)
  const grid = useGridState({ list: 'tickets', columns, search, onSearch: setSearch })
  return (
    <>
      <PageTitle title={t('title')}>
        <Checkbox
          label={new_count > 0 ? t('live_held', { count: new_count }) : t('live')}
          isChecked={isLive}
          onChange={setLive}
        />
        <RefreshButton isBusy={query.isRefetching} onRefresh={() => void query.refetch()} />
      </PageTitle>
      <div {...handlers}>
        <DataGrid
          {...grid}
          label={t('title')}
          columns={columns}
          rows={rows}
          keyOf={({ order_id }) => String(order_id)}
          error={query.error}
          onRetry={() => void query.refetch()}
          empty={
            query.hasNextPage ? (
              <EmptyNote title={t('none_yet')}>{t('none_yet_hint')}</EmptyNote>
            ) : (
              <EmptyNote title={t('none')}>{t('none_hint')}</EmptyNote>
            )
          }
          onOpen={({ order_id }) => void navigate({ to: '/bills/$order_id', params: { order_id: String(order_id) } })}
          more={{
            hasMore: query.hasNextPage,
            isBusy: query.isFetchingNextPage,
            onMore: () => void query.fetchNextPage(),
          }}
        >
          <TicketFilters search={search} onSearch={setSearch} />
        </DataGrid>
      </div>
      <RemovalSheet order={chosen} onClose={() => setChosen(null)} />
    </>
  )
}

/** @param onChoose null: this user removes no tickets */
function useTicketColumns(onChoose: ((order: OrderSummary) => void) | null): readonly GridColumn<OrderSummary>[] {
  const t = useTranslations('tickets')
  const statusName = useTranslations('common.order_status')
  const tagName = useTranslations('bills.tag')
  const lost = useTranslations('common')('item_status.lost')
  const language = useLocale()
  return useMemo(
    () => [
      {
        name: 'order_id',
        label: t('order_id'),
        isRowName: true,
        text: ({ order_id }) => String(order_id),
        cell: ({ order_id }) => (
          <Link to="/bills/$order_id" params={{ order_id: String(order_id) }}>
            #{order_id}
          </Link>
        ),
      },
      {
        name: 'created_at',
        label: t('placed_at'),
        text: ({ created_at }) => formatInstant(created_at, language, 'dayAndTime'),
        cell: ({ created_at }) => formatInstant(created_at, language, 'dayAndTime'),
        width: 'minmax(7.25rem, 1fr)',
      },
      {
        name: 'period',
        label: t('product_period'),
        text: ({ period }) => period.period_code,
        cell: ({ period }) => <MarketName period={period} />,
        width: 'minmax(10.5rem, 2fr)',
      },
      { name: 'username', label: t('member'), text: ({ username }) => username, cell: ({ username }) => username },
      {
        name: 'net_satang',
        label: t('net'),
        isFigure: true,
        text: ({ net_satang }) => (net_satang / 100).toFixed(2),
        cell: ({ net_satang }) => formatBaht(net_satang),
        width: 'minmax(5rem, 1fr)',
      },
      {
        name: 'bet_satang',
        label: t('bet'),
        isFigure: true,
        isOptional: true,
        text: ({ bet_satang }) => (bet_satang / 100).toFixed(2),
        cell: ({ bet_satang }) => formatBaht(bet_satang),
      },
      {
        name: 'win_satang',
        label: t('prize'),
        isFigure: true,
        text: ({ win_satang }) => (win_satang / 100).toFixed(2),
        cell: (order) => (order.win_satang > 0 ? formatBaht(order.win_satang) : isLost(order) ? lost : '–'),
        width: 'minmax(5rem, 1fr)',
      },
      {
        name: 'status',
        label: t('filter.state'),
        text: (order) => statusName(shownStatus(order)),
        cell: (order) => (
          <>
            <OrderStatusChip status={shownStatus(order)} />{' '}
            {order.status === 'WAIT_CONFIRM' && order.confirm_deadline_at !== null && (
              <Countdown until_ms={Date.parse(order.confirm_deadline_at)} />
            )}
          </>
        ),
        width: 'minmax(12.75rem, 1fr)',
      },
      {
        name: 'items',
        label: t('items'),
        isFigure: true,
        isOptional: true,
        text: ({ item_count }) => String(item_count),
        cell: ({ item_count }) => formatCount(item_count),
      },
      {
        name: 'tag',
        label: t('tag'),
        isOptional: true,
        text: ({ tag }) => (tag === null ? '' : tagName(tag)),
        cell: ({ tag }) => tag !== null && tagName(tag),
      },
      {
        name: 'note',
        label: t('note'),
        isOptional: true,
        text: ({ note }) => note,
        cell: ({ note }) => note,
      },
      ...(onChoose === null
        ? []
        : [
            {
              name: 'remove',
              label: t('remove'),
              hasActions: true,
              cell: (order: OrderSummary) => <RemovalCell order={order} onChoose={onChoose} />,
              width: 'minmax(7.5rem, 1.2fr)',
            },
          ]),
    ],
    [t, statusName, tagName, lost, language, onChoose],
  )
}
