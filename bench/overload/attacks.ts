// Those who cost much.

import { randomUUID } from 'node:crypto'
import type { OpenMarket } from '../client.ts'

export const attackNames = [
  'exports',
  'reports',
  'reads',
  'searches',
  'results',
  'look_ups',
  'number_states',
  'changes',
  'bad_tickets',
  'large_tickets',
  'small_tickets',
  'cancels',
  'bodies',
  'ready',
  'files',
] as const

/** Of a member without other attacks: a large body of one who owes tokens is refused. */
export const paidAttacks: readonly (typeof attackNames)[number][] = ['large_tickets', 'small_tickets']

/** A bet that makes a ticket wait: the benchmark sets its number to half. */
export const HALF_PAID = { bet_type: '3top', number: '000' } as const

/** As many as the package of the benchmark allows (`max_items`). */
const LARGE_LINES = 500

/** A ticket of as many lines as there may be; one that waits has a number that is paid half. */
export function makeLargeTicket({ period_code, config }: OpenMarket, kind: 'paid' | 'waiting'): object {
  const terms = config.bet_types.find(({ bet_type }) => bet_type === HALF_PAID.bet_type)
  if (!terms) throw new Error(`the market does not offer ${HALF_PAID.bet_type}`)
  const first = Number(HALF_PAID.number) + (kind === 'paid' ? 1 : 0)
  const items = Array.from({ length: LARGE_LINES }, (_, line) => ({
    bet_type: HALF_PAID.bet_type,
    number: String(first + line).padStart(3, '0'),
    bet_satang: terms.min_satang,
    rate: terms.rate,
  }))
  return { request_id: randomUUID(), period_code, package_code: config.package_code, items }
}

export interface Attack {
  name: (typeof attackNames)[number]
  url: string
  /** Of the attacker, a member with many tickets, or one that does nothing but pay (`paidAttacks`). */
  sessionToken: string
  /** A ticket of the attacker of as many lines as there may be. */
  large_order_id: number
  market: OpenMarket
  seconds: number
}
