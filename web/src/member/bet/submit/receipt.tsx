import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { TicketCard } from '../../../shared/tickets/card/ticket-card.tsx'
import { orderQuery } from '../../../shared/tickets/orders/queries.ts'

/** The buttons below stay in sight, and the card scrolls behind them. */
const SHOWN_NUMBERS = 12

/** A placed ticket: its slip as a card. `summary` stands in its place until the numbers are at hand. */
export function Receipt({ order_id, summary }: { order_id: number; summary: ReactNode }) {
  const { data: order } = useQuery(orderQuery(String(order_id)))
  return order === undefined ? summary : <TicketCard order={order} most={SHOWN_NUMBERS} />
}
