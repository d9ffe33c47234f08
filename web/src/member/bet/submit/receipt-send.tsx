import { useQuery } from '@tanstack/react-query'
import { orderQuery } from '../../../shared/tickets/orders/queries.ts'
import { SendButton } from '../../../shared/tickets/share/send-button.tsx'

/** Sends the placed ticket on. */
export function ReceiptSend({ order_id }: { order_id: number }) {
  const { data: order } = useQuery(orderQuery(String(order_id)))
  return order !== undefined && <SendButton order={order} />
}
