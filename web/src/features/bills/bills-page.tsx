import type { OrderSummary } from '@megalot/contract'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useLocale, useTranslations } from 'use-intl'
import { formatInstant } from '../../lib/dates.ts'
import { formatBaht } from '../../lib/money.ts'
import { LoadMore } from '../../ui/load-more.tsx'
import { MarketName } from '../../ui/market-name.tsx'
import { OrderStatusChip } from '../../ui/order-status-chip.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { Bones, EmptyNote, QueryView } from '../../ui/query-view.tsx'
import { RefreshButton } from '../../ui/refresh-button.tsx'
import classes from './bills-page.module.css'
import { ordersQuery } from './queries.ts'

export function BillsPage() {
  const t = useTranslations('bills')
  const query = useInfiniteQuery(ordersQuery)
  return (
    <>
      <PageTitle title={t('title')}>
        <RefreshButton isBusy={query.isRefetching} onRefresh={() => void query.refetch()} />
      </PageTitle>
      <QueryView query={query} skeleton={<Bones count={7} height={92} />}>
        {({ pages }) => {
          const orders = pages.flat()
          if (orders.length === 0) {
            return (
              <EmptyNote title={t('none')}>
                <Link to="/">{t('none_hint')}</Link>
              </EmptyNote>
            )
          }
          return (
            <ul className={classes.list}>
              {orders.map((order) => (
                <BillCard key={order.order_id} order={order} />
              ))}
            </ul>
          )
        }}
      </QueryView>
      <LoadMore
        hasMore={query.hasNextPage}
        isBusy={query.isFetchingNextPage}
        onMore={() => void query.fetchNextPage()}
      />
    </>
  )
}

function BillCard({ order }: { order: OrderSummary }) {
  const t = useTranslations('bills')
  const language = useLocale()
  return (
    <li className={classes.card}>
      <Link to="/bills/$order_id" params={{ order_id: String(order.order_id) }} className={classes.link ?? ''}>
        <span className={classes.market}>
          <MarketName period={order.period} />
        </span>
        <span className={classes.facts}>
          #{order.order_id} · {formatInstant(order.created_at, language, 'dayAndTime')} ·{' '}
          {t('items', { count: order.item_count })}
          {order.note !== '' && <span className={classes.note}>{order.note}</span>}
        </span>
        <span className={classes.money}>
          <span className="number">{formatBaht(order.net_satang)}</span>
          {order.win_satang > 0 && (
            <span className={classes.win}>
              {t('win')} <span className="number">{formatBaht(order.win_satang)}</span>
            </span>
          )}
        </span>
        <span className={classes.status}>
          <OrderStatusChip status={order.status} />
        </span>
      </Link>
    </li>
  )
}
