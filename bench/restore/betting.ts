// Members who bet without pause while their database is backed up.

import type pg from 'pg'
import { Client } from '../client.ts'
import { makeTicket, openMarkets } from '../crash/markets.ts'
import { type Betting, keepBetting } from '../crash/member.ts'
import { percentile, rounded } from '../percentile.ts'
import { TimedBook } from './timed-book.ts'

const members = Array.from({ length: 20 }, (_, index) => `member${String(index + 1).padStart(2, '0')}`)
const placesPerMember = 2
const enough_satang = 100_000_000_000

export interface RunningBetting {
  book: TimedBook
  /** The 99th percentile of the time that tickets took which were sent between two instants of `performance.now()`. */
  p99Ms(fromMs: number, toMs: number): number
  /** Tickets that were acknowledged a second between two instants. */
  perSecond(fromMs: number, toMs: number): number
  /** Lets what is on its way come to an end. @returns tickets without a definite state */
  end(): Promise<number>
}

/** @param pool of the database's owner */
export async function startBetting(url: string, pool: pg.Pool): Promise<RunningBetting> {
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
  await pool.query('update package_terms set max_per_number_satang = $1', [enough_satang])
  const book = new TimedBook()
  const placed: { sentAtMs: number; ms: number }[] = []
  const betting: Betting = {
    book,
    isOpen: true,
    isOver: false,
    onPlaced: (sentAtMs) => placed.push({ sentAtMs, ms: performance.now() - sentAtMs }),
    makeTicket: () => makeTicket(opened),
  }
  const ended = Promise.all(
    [...clients].flatMap(([username, client]) =>
      Array.from({ length: placesPerMember }, () => keepBetting(client, username, betting)),
    ),
  )
  const within = (fromMs: number, toMs: number): number[] =>
    placed.filter(({ sentAtMs }) => sentAtMs >= fromMs && sentAtMs < toMs).map(({ ms }) => ms)
  return {
    book,
    p99Ms: (fromMs, toMs) => rounded(percentile(within(fromMs, toMs), 0.99)),
    perSecond: (fromMs, toMs) => rounded((within(fromMs, toMs).length * 1_000) / (toMs - fromMs)),
    end: async () => {
      betting.isOpen = false
      await ended
      const undecided = book.countUndecided()
      betting.isOver = true
      for (const client of clients.values()) client.close()
      return undecided
    },
  }
}
