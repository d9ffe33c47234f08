// Members for benchmarks of a failing cluster or database: all bet without pause, with enough money, on markets that
// stay open.

import type pg from 'pg'
import { coverLimits } from '../../bench/app/app-database.ts'
import { Client } from '../../bench/client.ts'
import { makeTicket, type Market, openMarkets } from './markets.ts'
import { type Betting, keepBetting } from './member.ts'
import type { TicketBook } from './ticket-book.ts'

const members = Array.from({ length: 20 }, (_, index) => `member${String(index + 1).padStart(2, '0')}`)
const placesPerMember = 2
const enough_satang = 100_000_000_000

export interface Bettors {
  /** By username. */
  clients: ReadonlyMap<string, Client>
  opened: readonly Market[]
}

/**
 * Logs the members in.
 * @param pool of the database's owner
 */
export async function prepareBettors(url: string, pool: pg.Pool): Promise<Bettors> {
  const office = new Client(url)
  await office.logIn('office01')
  const clients = new Map(members.map((username) => [username, new Client(url, placesPerMember)]))
  for (const [username, client] of clients) await client.logIn(username)
  const opened = await openMarkets(pool, office, clients.get(members[0]!)!)
  office.close()
  await pool.query(
    `update accounts set floor_satang = -$1::bigint from users
     where kind = 'cash' and users.user_id = accounts.user_id and level = 'member'`,
    [enough_satang],
  )
  await coverLimits(pool)
  // Members who bet for a quarter of an hour would reach the limit.
  await pool.query('update package_terms set max_per_number_satang = $1', [enough_satang])
  return { clients, opened }
}

export interface RunningBettors {
  betting: Betting
  /** Resolves once all have ended, after `isOpen` was set to false. */
  ended: Promise<unknown>
}

export function startBettors(
  { clients, opened }: Bettors,
  book: TicketBook,
  onPlaced: Betting['onPlaced'],
): RunningBettors {
  const betting: Betting = { book, isOpen: true, isOver: false, onPlaced, makeTicket: () => makeTicket(opened) }
  const ended = Promise.all(
    [...clients].flatMap(([username, client]) =>
      Array.from({ length: placesPerMember }, () => keepBetting(client, username, betting)),
    ),
  )
  return { betting, ended }
}
