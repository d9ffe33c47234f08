// The expensive callers.

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

/** Attacks by a member who makes no others, because large bodies are refused once the bucket is in debt. */
export const paidAttacks: readonly (typeof attackNames)[number][] = ['large_tickets', 'small_tickets']

/** A bet that makes a ticket wait: the benchmark sets its number to half. */
export const HALF_PAID = { bet_type: '3top', number: '000' } as const

/** `max_items` of the benchmark's package. */
const LARGE_LINES = 500

/** A ticket with the maximum number of lines. A waiting one has a number at half pay. */
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
  /** Session of the attacker: a member with many tickets or, for `paidAttacks`, one who does nothing else. */
  sessionToken: string
  /** A ticket of the attacker with the maximum number of lines. */
  large_order_id: number
  market: OpenMarket
  seconds: number
}
