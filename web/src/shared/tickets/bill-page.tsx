import type { Order } from '@megalot/contract'
import IconArrowLeft from '~icons/arrow-left'
import { useQuery } from '@tanstack/react-query'
import { Link, getRouteApi, useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useLocale, useTranslations } from 'use-intl'
import { formatInstant } from '../../lib/format/dates.ts'
import { formatBaht } from '../../lib/format/money.ts'
import { orderQuery } from './orders/queries.ts'
import { toRefusal } from '../../lib/errors/refusal.ts'
import { useUser } from '../../lib/user/user-query.ts'
import { Card, Heading, Row } from '../../ui/layout.tsx'
import { MarketName } from '../markets/market-name.tsx'
import { OrderDecision } from './orders/order-decision.tsx'
import { OrderStatusChip, shownStatus } from '../../ui/order-status-chip.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { Skeleton, EmptyNote, QueryView } from '../../ui/query-view.tsx'
import { BillActions } from './bill-actions.tsx'
import { BillItems } from './bill-items.tsx'
import { BillTimeline } from './bill-timeline.tsx'
import classes from './bill-page.module.css'

const route = getRouteApi('/main/bills/$order_id')

/** @param goesBack to the page that the ticket was opened from, if there is one; else to the list */
function BackLink({ goesBack }: { goesBack: boolean }) {
  const t = useTranslations('bills')
  const router = useRouter()
  const canGoBack = goesBack && router.history.canGoBack()
  const content = (
    <>
      <IconArrowLeft size={20} stroke={1.75} aria-hidden="true" />
      {t(canGoBack ? 'back' : 'all')}
    </>
  )
  if (!canGoBack)
    return (
      <Link to="/bills" className={classes.back}>
        {content}
      </Link>
    )
  return (
    <button type="button" className={classes.back} onClick={() => router.history.back()}>
      {content}
    </button>
  )
}

interface BillPageProps {
  /** Where several pages list tickets, the way back is the one that it was opened from. */
  goesBack?: boolean
  /** What else can be done with the ticket. */
  renderActions?: (order: Order) => ReactNode
  /** The member's name, as a link where there is a page of the member. */
  renderOwner?: (order: Order) => ReactNode
}

export function BillPage({ goesBack = false, renderActions, renderOwner }: BillPageProps) {
  const t = useTranslations('bills')
  const { order_id } = route.useParams()
  const query = useQuery(orderQuery(order_id))
  // To ask again for a ticket that does not exist, or is another member's, would not help.
  const isUnknown = query.error !== null && [400, 403, 404].includes(toRefusal(query.error).http ?? 0)
  return (
    <>
      <BackLink goesBack={goesBack} />
      <PageTitle title={t('one', { order_id })} />
      {isUnknown ? (
        <EmptyNote title={t('unknown')}>
          <Link to="/bills">{t('to_list')}</Link>
        </EmptyNote>
      ) : (
        <QueryView query={query} skeleton={<Skeleton count={3} height={160} />}>
          {(order) => (
            <>
              <BillActions order={order}>{renderActions?.(order)}</BillActions>
              <Bill order={order} owner={renderOwner?.(order) ?? order.username} />
            </>
          )}
        </QueryView>
      )}
    </>
  )
}

function Bill({ order, owner }: { order: Order; owner: ReactNode }) {
  const t = useTranslations('bills')
  const common = useTranslations('common')
  const language = useLocale()
  const user = useUser()
  const sums = [
    ['bet', order.bet_satang],
    ['received', order.received_satang],
    ['discount', order.discount_satang],
    ['net', order.net_satang],
  ] as const
  return (
    <div className={classes.bill}>
      {order.username === user.username && <OrderDecision key={order.order_id} order={order} />}
      <Card as="section" pad={[14, 16]} aria-label={t('summary')}>
        <Row gap={[6, 12]} below={8} align="center" justify="space-between">
          <MarketName period={order.period} />
          <OrderStatusChip status={shownStatus(order)} />
          {order.tag !== null && <span>{t(`tag.${order.tag}`)}</span>}
        </Row>
        <dl className={classes.facts}>
          <div>
            <dt>{t('number')}</dt>
            <dd data-testid="order-id">{order.order_id}</dd>
          </div>
          <div>
            <dt>{t('placed_at')}</dt>
            <dd>{formatInstant(order.created_at, language, 'dayAndTime')}</dd>
          </div>
          <div>
            <dt>{t('package')}</dt>
            <dd>{order.package_code}</dd>
          </div>
          <div>
            <dt>{t('period_status')}</dt>
            <dd>{common(`period_status.${order.period.status}`)}</dd>
          </div>
          <div>
            <dt>{t('owner')}</dt>
            <dd>{owner}</dd>
          </div>
          {order.note !== '' && (
            <div>
              <dt>{t('note')}</dt>
              <dd>{order.note}</dd>
            </div>
          )}
          {(order.cancelled_by !== null || order.is_cancelled_by_office) && (
            <div>
              <dt>{t(order.status === 'DELETED' ? 'deleted_by' : 'cancelled_by')}</dt>
              <dd>{order.cancelled_by ?? t('office')}</dd>
            </div>
          )}
        </dl>
      </Card>
      <Card as="section" pad={[14, 16]} aria-label={t('totals')}>
        <dl className={classes.sums}>
          {sums.map(([name, satang]) => (
            <div key={name} data-name={name}>
              <dt>{t(name)}</dt>
              <dd className="number">{formatBaht(satang)}</dd>
            </div>
          ))}
          <div data-name="win" data-won={order.win_satang > 0 || undefined}>
            <dt>{t('win')}</dt>
            <dd className="number">{formatBaht(order.win_satang)}</dd>
          </div>
        </dl>
      </Card>
      <Card as="section" pad={[14, 16]} aria-labelledby="bill-steps">
        <Heading id="bill-steps" below={6}>
          {t('steps')}
        </Heading>
        <BillTimeline order={order} />
      </Card>
      <section className={classes.items} aria-labelledby="bill-items">
        <Heading id="bill-items" below={6}>
          {t('items_title', { count: order.item_count })}
        </Heading>
        <BillItems order={order} />
      </section>
    </div>
  )
}
