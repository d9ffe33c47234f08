import type { ListedOrder } from '@megalot/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { formatInstant } from '../../../lib/format/dates.ts'
import { formatBaht } from '../../../lib/format/money.ts'
import { OutcomeChip } from '../../../ui/order-status-chip.tsx'
import { Skeleton, EmptyNote, QueryView } from '../../../ui/query-view.tsx'
import { ShownNumbers } from '../card/shown-numbers.tsx'
import classes from './latest-orders.module.css'
import { latestOrdersQuery } from '../../markets/rate-queries.ts'

interface LatestOrdersProps {
  period_code: string
  /** What to say of a period without tickets, instead of how a member makes one. */
  hint?: string
  /** Buttons beside a ticket. */
  renderActions?: (order: ListedOrder) => ReactNode
}

/** The last tickets of this period: a member's own, or those of a downline. */
export function LatestOrders({ period_code, hint, renderActions }: LatestOrdersProps) {
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
                <li key={order.order_id} className={classes.row}>
                  <Link to="/bills/$order_id" params={{ order_id: String(order.order_id) }} className={classes.order}>
                    <ShownNumbers order={order} />
                    <span className={classes.money}>{formatBaht(order.net_satang)}</span>
                    <span className={classes.facts}>
                      <span>#{order.order_id}</span>{' '}
                      <span>{formatInstant(order.created_at, language, 'dayAndTime')}</span>
                      <span className={classes.chip}>
                        <OutcomeChip order={order} />
                      </span>
                    </span>
                  </Link>
                  {renderActions !== undefined && <span className={classes.actions}>{renderActions(order)}</span>}
                </li>
              ))}
            </ul>
          )
        }
      </QueryView>
    </section>
  )
}
