// What a node needs to place tickets: connections, the tickets that wait, and what it has read before.

import { Kysely, PostgresDialect } from 'kysely'
import type pg from 'pg'
import { queuedTickets } from '../../lib/metrics.ts'
import { type BatchQueues, countWaiting, createBatchQueues } from '../../postgres/batcher.ts'
import { type Db, MAX_CACHED_BATCHES, MAX_READ_BATCHES } from '../../postgres/db.ts'
import type { Tables } from '../../postgres/tables.ts'
import { createUseCache, type UseCache } from '../play-limits/index.ts'
import type { NewTicket, Placement } from '../ticket.ts'
import { createStakesCache, type StakesCache } from './member-stakes.ts'
import { createSnapshotCache, type SnapshotCache } from './snapshot-cache.ts'

const MAX_BATCH_SIZE = 256

/** Tickets that wait, by period. */
type TicketQueues = BatchQueues<NewTicket, Placement>

export interface Intake {
  /** For transactions. */
  batches: pg.Pool
  /** The same connections, for calls that are transactions themselves. */
  db: Db
  /** Of tickets that may be decided from the cache. */
  cachedQueues: TicketQueues
  /** Of tickets for which the database has to be read first. */
  readQueues: TicketQueues
  cache: SnapshotCache
  /** What members near a limit per number have staked. */
  stakes: StakesCache
  /** What members with limits of their own have staked and lost. */
  playUses: UseCache
  /** In ms; used only for the age of entries and of tickets. */
  readClock: () => number
}

/** @param readClock in ms; used only for the age of entries and of tickets */
export function createIntake(
  batches: pg.Pool,
  playUses = createUseCache(),
  readClock = () => performance.now(),
): Intake {
  const cachedQueues: TicketQueues = createBatchQueues(MAX_BATCH_SIZE, MAX_CACHED_BATCHES)
  const readQueues: TicketQueues = createBatchQueues(MAX_BATCH_SIZE, MAX_READ_BATCHES)
  queuedTickets.addSource({}, () => countWaiting(cachedQueues) + countWaiting(readQueues))
  return {
    batches,
    db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool: batches }) }),
    cachedQueues,
    readQueues,
    cache: createSnapshotCache(readClock),
    stakes: createStakesCache(),
    playUses,
    readClock,
  }
}
