import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useLocale, useTranslations } from 'use-intl'
import { formatInstant } from '../../../lib/format/dates.ts'
import { formatBaht } from '../../../lib/format/money.ts'
import { OrderStatusChip, shownStatus } from '../../../ui/order-status-chip.tsx'
import { Skeleton, EmptyNote, QueryView } from '../../../ui/query-view.tsx'
import classes from './latest-orders.module.css'
import { latestOrdersQuery } from '../../markets/rate-queries.ts'

interface LatestOrdersProps {
  period_code: string
  /** What to say of a period without tickets, instead of how a member makes one. */
  hint?: string
}

/** The last tickets of this period: a member's own, or those of a downline. */
export function LatestOrders({ period_code, hint }: LatestOrdersProps) {
  const t = useTranslations('bet.latest')
  const language = useLocale()
  const query = useQuery(latestOrdersQuery(period_code))
  return (
    <section className={classes.latest} aria-labelledby="latest-orders">
      <h2 id="latest-orders" className={classes.title}>
        {t('title')}
      </h2>
      <QueryView query={query} skeleton={<Skeleton count={4} height={64} gap={6} />}>
        {(orders) =>
          orders.length === 0 ? (
            <EmptyNote title={t('none')}>{hint ?? t('none_hint')}</EmptyNote>
          ) : (
            <ul className={classes.list}>
              {orders.map((order) => (
                <li key={order.order_id}>
                  <Link to="/bills/$order_id" params={{ order_id: String(order.order_id) }} className={classes.order}>
                    <span className={classes.id}>#{order.order_id}</span>
                    <span className={classes.money}>{formatBaht(order.net_satang)}</span>
                    <span className={classes.facts}>
                      {formatInstant(order.created_at, language, 'timeWithSeconds')} ·{' '}
                      {t('items', { count: order.item_count })}
                    </span>
                    <span className={classes.chip}>
                      <OrderStatusChip status={shownStatus(order)} />
                    </span>
                  </Link>
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
    </section>
  )
}
