// Apart from `routes/orders.ts`, which the log-in page loads: its first load has a bound.

import type { Order, OrderSummary } from './routes/orders.ts'

/** A ticket as lists show it, a small body whatever the number of its lines. */
export function toOrderSummary(order: Order): OrderSummary {
  const { steps: _steps, events: _events, items: _items, ...head } = order
  const { discount_seen_satang: _discount, confirmList: _list, ...summary } = head
  return summary
}
