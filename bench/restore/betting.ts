// Members who bet without pause while their database is backed up.

import type pg from 'pg'
import { prepareBettors, startBettors } from '../../ops/crash/bettors.ts'
import { percentile, rounded } from '../percentile.ts'
import { TimedBook } from './timed-book.ts'

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
  const bettors = await prepareBettors(url, pool)
  const book = new TimedBook()
  const placed: { sentAtMs: number; ms: number }[] = []
  const { betting, ended } = startBettors(bettors, book, (sentAtMs) =>
    placed.push({ sentAtMs, ms: performance.now() - sentAtMs }),
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
      for (const client of bettors.clients.values()) client.close()
      return undecided
    },
  }
}
