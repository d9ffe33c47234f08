// Kept out of `routes/orders.ts`, because the log-in page loads this file and its first load has a size limit.

import type { ListedOrder, Order, OrderSummary } from './routes/orders.ts'

/** A ticket without its items. */
export function toOrderSummary(order: OrderSummary | Order | ListedOrder): OrderSummary {
  const { steps: _steps, events: _events, items: _items, ...head } = order as Order & ListedOrder
  const { discount_seen_satang: _discount, confirmList: _list, shown_items: _shown, ...summary } = head
  return summary
}
