// Those who cost much.

import type { OpenMarket } from '../client.ts'

export const attackNames = [
  'exports',
  'reports',
  'reads',
  'searches',
  'bad_tickets',
  'large_tickets',
  'small_tickets',
  'cancels',
  'bodies',
  'ready',
  'files',
] as const

/** Of a member that is refused nothing else: whoever has spent its budget is refused tickets too. */
export const paidAttacks: readonly (typeof attackNames)[number][] = ['large_tickets', 'small_tickets']

/** A bet that makes a ticket wait: the benchmark sets its number to half. */
export const HALF_PAID = { bet_type: '3top', number: '000' } as const

export interface Attack {
  name: (typeof attackNames)[number]
  url: string
  /** Of the attacker, a member with many tickets, or one that does nothing but pay (`paidAttacks`). */
  sessionToken: string
  market: OpenMarket
  seconds: number
}
