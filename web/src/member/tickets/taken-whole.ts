import type { Order, OrderItem } from '@megalot/contract'

/** Less was taken, or at another rate than the member saw. */
export function isLess(item: Pick<OrderItem, 'received_satang' | 'asked_satang' | 'rate' | 'rate_seen'>): boolean {
  return item.received_satang < item.asked_satang || item.rate !== item.rate_seen
}

/** All was taken as it was asked for, nothing at half pay or with another discount: there is nothing to read in the receipt. */
export function isTakenWhole({ items, discount_seen_satang }: Pick<Order, 'items' | 'discount_seen_satang'>): boolean {
  return discount_seen_satang === null && items.every((item) => !isLess(item) && !item.is_half_pay)
}
