import type { Order } from '@megalot/contract'
import type { SlipLine } from '@megalot/rules'

// A ticket on its way from its own page to the slip of its market. It is handed over once: a page that is loaded anew must
// not put it on the slip again.

interface CopiedTicket {
  product_code: string
  order_id: number
  lines: readonly SlipLine[]
}

let waiting: CopiedTicket | null = null

/** Lays the items of a ticket down for the slip of its market, as they were asked for. */
export function copyTicket({ order_id, period: { product_code }, items }: Order): void {
  const lines = items.map(({ bet_type, number, asked_satang }) => ({ bet_type, number, bet_satang: asked_satang }))
  waiting = { product_code, order_id, lines }
}

/** Takes what waits for a market; null where nothing does. */
export function takeCopiedTicket(product_code: string): CopiedTicket | null {
  if (waiting?.product_code !== product_code) return null
  const taken = waiting
  waiting = null
  return taken
}
