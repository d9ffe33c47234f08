import type { Order } from '@megalot/contract'
import IconArrowLeft from '~icons/arrow-left'
import IconChevronDown from '~icons/chevron-down'
import { useQuery } from '@tanstack/react-query'
import { Link, getRouteApi, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl'
import { orderQuery } from './orders/queries.ts'
import { toRefusal } from '../../lib/errors/refusal.ts'
import { Facts } from '../../ui/layout.tsx'
import { shownStatus } from '../../ui/order-status-chip.tsx'
import { PageTitle } from '../../ui/page-title.tsx'
import { Skeleton, EmptyNote, QueryView } from '../../ui/query-view.tsx'
import { BillActions } from './bill-actions.tsx'
import { BillItems } from './bill-items.tsx'
import { BillTimeline } from './bill-timeline.tsx'
import { TicketCard } from './card/ticket-card.tsx'
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
  /** The member's name, as a link where there is a page of the member; absent for a member's own tickets. */
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
              <Bill order={order} owner={renderOwner?.(order)}>
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

/** How many numbers the card shows at first: the sums below them stay within reach. */
const SHOWN_NUMBERS = 40

function Bill({ order, owner, children }: BillProps) {
  const t = useTranslations('bills')
  // Why a ticket was taken back is what its member comes for.
  const isTakenBack = order.status === 'DELETED' || shownStatus(order) === 'REFUNDED'
  return (
    <div className={classes.bill}>
      {children}
      <TicketCard order={order} most={SHOWN_NUMBERS} owner={owner} />
      <Fold title={t('history')} isOpenAtFirst={isTakenBack}>
        <BillFacts order={order} />
        <BillTimeline order={order} />
      </Fold>
      <Fold title={t('items_title', { count: order.item_count })}>
        <BillItems order={order} />
      </Fold>
    </div>
  )
}

/** A part of the record, folded until it is asked for. */
function Fold({
  title,
  isOpenAtFirst = false,
  children,
}: {
  title: string
  isOpenAtFirst?: boolean
  children: ReactNode
}) {
  const [isOpen, setIsOpen] = useState(isOpenAtFirst)
  return (
    <details className={classes.fold} open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>
        <IconChevronDown size={20} stroke={1.75} aria-hidden="true" />
        {title}
      </summary>
      {isOpen && children}
    </details>
  )
}

function BillFacts({ order }: { order: Order }) {
  const t = useTranslations('bills')
  const common = useTranslations('common')
  const facts = [
    [t('period_status'), common(`period_status.${order.period.status}`)],
    ...(order.cancelled_by === null && !order.is_cancelled_by_office
      ? []
      : [[t(order.status === 'DELETED' ? 'deleted_by' : 'cancelled_by'), order.cancelled_by ?? t('office')] as const]),
  ] as const
  return <Facts facts={facts} inLines below={10} />
}
