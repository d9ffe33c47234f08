// Kept out of `routes/orders.ts`, because the log-in page loads this file and its first load has a size limit.

import type { Order, OrderSummary } from './routes/orders.ts'

/** A ticket without its items, as lists show it. */
export function toOrderSummary(order: Order): OrderSummary {
  const { steps: _steps, events: _events, items: _items, ...head } = order
  const { discount_seen_satang: _discount, confirmList: _list, ...summary } = head
  return summary
}
