import { Button } from '../../ui/button.tsx'
import { TextInput } from '../../ui/text-input.tsx'
import type { OrderSummary } from '@megalot/contract'
import { IconSearch } from '@tabler/icons-react'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { formatInstant } from '../../lib/format/dates.ts'
import { formatBaht } from '../../lib/format/money.ts'
import { useUser } from '../../lib/user/user-query.ts'
import { LoadMore } from '../../ui/load-more.tsx'
import { MarketName } from '../markets/market-name.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { Skeleton, EmptyNote, QueryView } from '../../ui/query-view.tsx'
import { RefreshButton } from '../../ui/refresh-button.tsx'
import classes from './oversight.module.css'
import { managedBillsQuery, voidRequestsQuery } from './queries.ts'
import type { TicketSearch } from './queries.ts'
import { type Removal, RemovalSheet, useIsClosed } from './removal-sheet.tsx'
import { VoidRequests } from './void-requests.tsx'

const NOTHING: TicketSearch = { search: '', username: '' }

/** Where an upline finds a ticket of its downline and deletes it, and the office voids one after the close. */
export function ManageBillsPage() {
  const { is_office: isOffice } = useUser()
  const t = useTranslations('oversight.bills')
  const [asked, setAsked] = useState(NOTHING)
  const [chosen, setChosen] = useState<Removal | null>(null)
  const query = useInfiniteQuery(managedBillsQuery(asked))
  return (
    <>
      <PageTitle title={t('title')}>
        <RefreshButton isBusy={query.isRefetching} onRefresh={() => void query.refetch()} />
      </PageTitle>
      {isOffice && <VoidRequests onChoose={setChosen} />}
      <SearchForm onAsk={setAsked} />
      <QueryView query={query} skeleton={<Skeleton count={8} height={56} gap={4} />}>
        {({ pages }) => {
          const orders = pages.flatMap(({ data }) => data)
          if (orders.length === 0) return <EmptyNote title={t('none')}>{t('none_hint')}</EmptyNote>
          return <ManagedTable orders={orders} isOffice={isOffice} onChoose={(order) => setChosen({ order })} />
        }}
      </QueryView>
      <LoadMore
        hasMore={query.hasNextPage}
        isBusy={query.isFetchingNextPage}
        onMore={() => void query.fetchNextPage()}
      />
      <RemovalSheet chosen={chosen} onClose={() => setChosen(null)} />
    </>
  )
}

function SearchForm({ onAsk }: { onAsk: (search: TicketSearch) => void }) {
  const t = useTranslations('oversight.bills')
  const common = useTranslations('common.action')
  const [typed, setTyped] = useState(NOTHING)
  return (
    <search>
      <form
        className={classes.search}
        onSubmit={(event) => {
          event.preventDefault()
          onAsk({ search: typed.search.trim(), username: typed.username.trim() })
        }}
      >
        <TextInput
          type="search"
          label={t('search')}
          maxLength={200}
          value={typed.search}
          onChange={(event) => setTyped({ ...typed, search: event.currentTarget.value })}
        />
        <TextInput
          type="search"
          label={t('member')}
          maxLength={255}
          autoCapitalize="off"
          value={typed.username}
          onChange={(event) => setTyped({ ...typed, username: event.currentTarget.value })}
        />
        <Button type="submit" icon={<IconSearch size={18} stroke={1.75} />}>
          {common('search')}
        </Button>
      </form>
    </search>
  )
}

interface ManagedTableProps {
  orders: readonly OrderSummary[]
  isOffice: boolean
  onChoose: (order: OrderSummary) => void
}

function ManagedTable({ orders, isOffice, onChoose }: ManagedTableProps) {
  const t = useTranslations('oversight.bills')
  return (
    <div className={classes.sheet}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t('order_id')}</th>
            <th scope="col">{t('placed_at')}</th>
            <th scope="col">{t('product_period')}</th>
            <th scope="col">{t('member')}</th>
            <th scope="col" className={classes.figure}>
              {t('net')}
            </th>
            <th scope="col">{t('remove')}</th>
          </tr>
        </thead>
        <tbody>
          {orders.map((order) => (
            <ManagedRow key={order.order_id} order={order} isOffice={isOffice} onChoose={onChoose} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Why a ticket can be neither deleted nor voided by this user now; null where it can. What must fail is not offered. */
function useObstacle({ order_id, period }: OrderSummary, isClosed: boolean, isOffice: boolean): string | null {
  const t = useTranslations('oversight.bills')
  const { username } = useUser()
  const { data: requests = [] } = useQuery({ ...voidRequestsQuery, enabled: isOffice })
  if (!isClosed) return null
  if (period.status === 'settled') return t('settled')
  if (period.status === 'void') return t('period_void')
  if (!isOffice) return t('closed')
  const request = requests.find(({ order }) => order.order_id === order_id)
  if (request === undefined) return null
  return request.requested_by === username ? t('requests.yours') : t('requests.above')
}

function ManagedRow({ order, isOffice, onChoose }: Omit<ManagedTableProps, 'orders'> & { order: OrderSummary }) {
  const t = useTranslations('oversight.bills')
  const language = useLocale()
  const isClosed = useIsClosed(order)
  const obstacle = useObstacle(order, isClosed, isOffice)
  const { order_id } = order
  return (
    <tr>
      <td data-label={t('order_id')}>
        <Link to="/bills/$order_id" params={{ order_id: String(order_id) }} className={classes.link ?? ''}>
          #{order_id}
        </Link>
      </td>
      <td data-label={t('placed_at')}>{formatInstant(order.created_at, language, 'dayAndTime')}</td>
      <td data-label={t('product_period')}>
        <MarketName period={order.period} />
      </td>
      <td data-label={t('member')}>{order.username}</td>
      <td className={classes.figure} data-label={t('net')}>
        {formatBaht(order.net_satang)}
      </td>
      <td>
        {obstacle === null ? (
          <Button variant="default" onClick={() => onChoose(order)}>
            {isClosed ? t('void') : t('delete')}
            <span className="visually-hidden"> #{order_id}</span>
          </Button>
        ) : (
          <span className={classes.dim}>{obstacle}</span>
        )}
      </td>
    </tr>
  )
}
