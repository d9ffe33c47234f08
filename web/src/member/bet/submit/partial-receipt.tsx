import type { Order } from '@megalot/contract'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { orderQuery } from '../../../shared/tickets/orders/queries.ts'
import { OrderDecision } from '../../tickets/order-decision.tsx'
import { Skeleton, QueryView } from '../../../ui/query-view.tsx'

interface PartialReceiptProps {
  order_id: number
  onChanged: (order: Order) => void
  onLater: () => void
}

/** The accepted part of a ticket, for the member to confirm or return. */
export function PartialReceipt({ order_id, onChanged, onLater }: PartialReceiptProps) {
  const query = useQuery(orderQuery(String(order_id)))
  const { data } = query
  useEffect(() => {
    if (data !== undefined && data.status !== 'WAIT_CONFIRM') onChanged(data)
    // Asks again only when the ticket changes, not when the page renders.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [data])
  return (
    <QueryView query={query} skeleton={<Skeleton count={3} height={60} />}>
      {(order) => <OrderDecision order={order} onLater={onLater} />}
    </QueryView>
  )
}
