import type { OrderSummary } from '@megalot/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, getRouteApi } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { MarketName } from '../features/markets/market-name.tsx'
import { managedOrdersQuery } from '../features/oversight/queries.ts'
import { RemovalCell } from '../features/oversight/removal-cell.tsx'
import { type Removal, RemovalSheet } from '../features/oversight/removal-sheet.tsx'
import { VoidRequests } from '../features/oversight/void-requests.tsx'
import { formatInstant } from '../lib/format/dates.ts'
import { formatBaht } from '../lib/format/money.ts'
import { useUser } from '../lib/user/user-query.ts'
import { DataGrid } from '../ui/data-grid.tsx'
import type { GridColumn } from '../ui/grid-column.ts'
import { LoadMore } from '../ui/load-more.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { EmptyNote } from '../ui/query-view.tsx'
import { RefreshButton } from '../ui/refresh-button.tsx'
import { TextInput } from '../ui/text-input.tsx'
import classes from './console-pages.module.css'
import type { TicketsSearch } from './page-search.ts'
import { useGridState } from './use-grid-state.ts'
import { useTypedFilter } from './use-typed-filter.ts'

const route = getRouteApi('/main/tickets')

/** Where an upline finds a ticket of its downline and deletes it, and the office voids one after the close. */
export function TicketsPage() {
  const t = useTranslations('oversight.bills')
  const { is_office } = useUser()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const setSearch = (next: TicketsSearch): void => void navigate({ search: next, replace: true })
  const setFilter = (name: 'search' | 'username') => (text: string) => {
    const { [name]: _before, ...rest } = search
    setSearch(text === '' ? rest : { ...rest, [name]: text })
  }
  const textFilter = useTypedFilter(search.search, setFilter('search'))
  const memberFilter = useTypedFilter(search.username, setFilter('username'))
  const [chosen, setChosen] = useState<Removal | null>(null)
  const query = useInfiniteQuery(managedOrdersQuery({ search: search.search ?? '', username: search.username ?? '' }))
  const rows = useMemo(() => query.data?.pages.flatMap(({ data }) => data), [query.data])
  const columns = useTicketColumns(setChosen)
  const grid = useGridState({ list: 'tickets', columns, search, onSearch: setSearch })
  return (
    <>
      <PageTitle title={t('title')}>
        <RefreshButton isBusy={query.isRefetching} onRefresh={() => void query.refetch()} />
      </PageTitle>
      {is_office && <VoidRequests onChoose={setChosen} />}
      <DataGrid
        {...grid}
        label={t('title')}
        columns={columns}
        rows={rows}
        keyOf={({ order_id }) => String(order_id)}
        error={query.error}
        onRetry={() => void query.refetch()}
        empty={<EmptyNote title={t('none')}>{t('none_hint')}</EmptyNote>}
        onOpen={({ order_id }) => void navigate({ to: '/bills/$order_id', params: { order_id: String(order_id) } })}
        more={
          <LoadMore
            hasMore={query.hasNextPage}
            isBusy={query.isFetchingNextPage}
            onMore={() => void query.fetchNextPage()}
          />
        }
      >
        <search className={classes.filters}>
          <TextInput
            type="search"
            label={t('search')}
            maxLength={200}
            className={classes.filter ?? ''}
            {...textFilter}
          />
          <TextInput
            type="search"
            label={t('member')}
            maxLength={255}
            autoCapitalize="off"
            className={classes.filter ?? ''}
            {...memberFilter}
          />
        </search>
      </DataGrid>
      <RemovalSheet chosen={chosen} onClose={() => setChosen(null)} />
    </>
  )
}

function useTicketColumns(onChoose: (removal: Removal) => void): readonly GridColumn<OrderSummary>[] {
  const t = useTranslations('oversight.bills')
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
        width: 'minmax(8.5rem, 1fr)',
      },
      {
        name: 'period',
        label: t('product_period'),
        text: ({ period }) => period.period_code,
        cell: ({ period }) => <MarketName period={period} />,
        width: 'minmax(13rem, 2fr)',
      },
      { name: 'username', label: t('member'), text: ({ username }) => username, cell: ({ username }) => username },
      {
        name: 'net_satang',
        label: t('net'),
        isFigure: true,
        text: ({ net_satang }) => (net_satang / 100).toFixed(2),
        cell: ({ net_satang }) => formatBaht(net_satang),
      },
      {
        name: 'remove',
        label: t('remove'),
        cell: (order) => <RemovalCell order={order} onChoose={() => onChoose({ order })} />,
        width: 'minmax(10rem, 1.2fr)',
      },
    ],
    [t, language, onChoose],
  )
}
