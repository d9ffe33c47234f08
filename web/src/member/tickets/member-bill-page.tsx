import type { Order } from '@megalot/contract'
import { BillPage } from '../../shared/tickets/bill-page.tsx'
import { PushOffer } from '../push/push-offer.tsx'
import { CancelButton, OrderDecision } from './order-decision.tsx'
import { CopyButton } from './copy-button.tsx'

const isAwaited = ({ status, period }: Order): boolean =>
  status === 'CONFIRMED' && (period.status === 'open' || period.status === 'closed')

/** A member's ticket, with the choices that the member still has. */
export function MemberBillPage() {
  return (
    <BillPage
      list="/bills"
      renderActions={(order) => (
        <>
          <CopyButton order={order} />
          <CancelButton key={order.order_id} order={order} />
        </>
      )}
      renderDecision={(order) => (
        <>
          <OrderDecision key={order.order_id} order={order} />
          {isAwaited(order) && <PushOffer />}
        </>
      )}
    />
  )
}
