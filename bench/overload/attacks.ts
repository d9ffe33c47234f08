// Those who cost much.

import type { OpenMarket } from '../client.ts'

export const attackNames = ['exports', 'reports', 'reads', 'bad_tickets', 'bodies', 'ready', 'files'] as const

export interface Attack {
  name: (typeof attackNames)[number]
  url: string
  /** Of the attacker, a member with many tickets. */
  sessionToken: string
  market: OpenMarket
  seconds: number
}
