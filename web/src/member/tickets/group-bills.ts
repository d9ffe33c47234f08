import type { ListedOrder, Period } from '@megalot/contract'

/** A line of the list: the head of a period, or one of its tickets. */
export type BillLine =
  | { kind: 'head'; key: string; period: Period; count: number; is_continued: boolean; is_open: boolean }
  | { kind: 'bill'; key: string; order: ListedOrder; is_last: boolean }

interface Group {
  period: Period
  orders: ListedOrder[]
  part: number
  is_continued: boolean
}

/**
 * Tickets by their periods, in the order in which these are met. Each part of the list that arrives is grouped by itself, so
 * that nothing is put in above what is being read: a period that comes again in a later part is continued there.
 * @param parts the parts of the list, newest ticket first
 * @param isOpen whether the tickets of a period are shown
 */
export function groupBills(
  parts: readonly (readonly ListedOrder[])[],
  isOpen: (period_code: string) => boolean,
): readonly BillLine[] {
  const groups: Group[] = []
  const met = new Set<string>()
  for (const [part, orders] of parts.entries()) {
    const ofPart = new Map<string, Group>()
    for (const order of orders) {
      const { period_code } = order.period
      const last = groups.at(-1)
      const own = ofPart.get(period_code)
      if (own !== undefined) own.orders.push(order)
      // Goes on where the part before has ended.
      else if (last !== undefined && last.part === part - 1 && last.period.period_code === period_code) {
        last.orders.push(order)
        last.part = part
        ofPart.set(period_code, last)
      } else {
        const group = { period: order.period, orders: [order], part, is_continued: met.has(period_code) }
        groups.push(group)
        ofPart.set(period_code, group)
        met.add(period_code)
      }
    }
  }
  return groups.flatMap(({ period, orders, part, is_continued }) => {
    const is_open = isOpen(period.period_code)
    const key = `${period.period_code} ${is_continued ? part : ''}`
    const head: BillLine = { kind: 'head', key, period, count: orders.length, is_continued, is_open }
    if (!is_open) return [head]
    const bills = orders.map((order, index): BillLine => {
      return { kind: 'bill', key: String(order.order_id), order, is_last: index === orders.length - 1 }
    })
    return [head, ...bills]
  })
}
