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
import { Card, Heading, Row } from '../../ui/layout.tsx'
import { MarketName } from '../markets/market-name.tsx'
import { OrderStatusChip, shownStatus } from '../../ui/order-status-chip.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { Skeleton, EmptyNote, QueryView } from '../../ui/query-view.tsx'
import { BillActions } from './bill-actions.tsx'
import { BillItems } from './bill-items.tsx'
import { BillTimeline } from './bill-timeline.tsx'
import classes from './bill-page.module.css'

const route = getRouteApi('/main/bills/$order_id')

function BackLink({ list, goesBack }: Required<Pick<BillPageProps, 'list' | 'goesBack'>>) {
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
      <Link to={list} className={classes.back}>
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
  /** The application's list of tickets. */
  list: '/bills' | '/tickets'
  /** Leads back to the page that opened the ticket. Without one, and by default, to the list. */
  goesBack?: boolean
  /** Buttons beside those of every ticket. */
  renderActions?: (order: Order) => ReactNode
  /** The choices that the ticket's member still has. */
  renderDecision?: (order: Order) => ReactNode
  /** The member's name, as a link where there is a page of the member. */
  renderOwner?: (order: Order) => ReactNode
}

export function BillPage({ list, goesBack = false, renderActions, renderDecision, renderOwner }: BillPageProps) {
  const t = useTranslations('bills')
  const { order_id } = route.useParams()
  const query = useQuery(orderQuery(order_id))
  // No retry helps for a ticket that does not exist or belongs to another member.
  const isUnknown = query.error !== null && [400, 403, 404].includes(toRefusal(query.error).http ?? 0)
  return (
    <>
      <BackLink {...{ list, goesBack }} />
      <PageTitle title={t('one', { order_id })} />
      {isUnknown ? (
        <EmptyNote title={t('unknown')}>
          <Link to={list}>{t('to_list')}</Link>
        </EmptyNote>
      ) : (
        <QueryView query={query} skeleton={<Skeleton count={3} height={160} />}>
          {(order) => (
            <>
              <BillActions order={order}>{renderActions?.(order)}</BillActions>
              <Bill order={order} owner={renderOwner?.(order) ?? order.username}>
                {renderDecision?.(order)}
              </Bill>
            </>
          )}
        </QueryView>
      )}
    </>
  )
}

interface BillProps {
  order: Order
  owner: ReactNode
  children: ReactNode
}

function Bill({ order, owner, children }: BillProps) {
  const t = useTranslations('bills')
  const common = useTranslations('common')
  const language = useLocale()
  const sums = [
    ['bet', order.bet_satang],
    ['received', order.received_satang],
    ['discount', order.discount_satang],
    ['net', order.net_satang],
  ] as const
  return (
    <div className={classes.bill}>
      {children}
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
