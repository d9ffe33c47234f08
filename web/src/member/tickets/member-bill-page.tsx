import { BillPage } from '../../shared/tickets/bill-page.tsx'
import { OrderDecision } from './order-decision.tsx'
import { CopyButton } from './copy-button.tsx'

/** A member's ticket, with the choices that the member still has. */
export function MemberBillPage() {
  return (
    <BillPage
      list="/bills"
      renderActions={(order) => <CopyButton order={order} />}
      renderDecision={(order) => <OrderDecision key={order.order_id} order={order} />}
    />
  )
}
