// Whether commits survive the loss of a machine.

import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Db } from './db.ts'
import { Refusal } from '../lib/refusal.ts'
import { shareRuns } from './share-runs.ts'
import type { Tables } from './tables.ts'

/**
 * Commits an empty record of the write-ahead log. When it returns, everything visible before is as durable as the
 * database's settings require: on its disk and, with synchronous replication, on a standby's.
 * A commit can be visible without being replicated if its connection was cut while it waited for the standby. Its
 * client never got an acknowledgement, but other calls see the row, and must not promise it before it is replicated.
 * Within a transaction the record is committed with it.
 * @throws the driver's error if the database cannot write, for example as a standby or with a full disk
 */
export async function commitEmptyRecord(db: Db): Promise<void> {
  await sql`select pg_logical_emit_message(true, '', '')`.execute(db)
}

/** How long to wait for writers, and how often to check, in ms. */
const WRITERS_MS = 5_000
const WRITERS_CHECK_MS = 20

/** Shared by concurrent calls, on one connection at a time. */
export interface DurableState {
  /** As `commitEmptyRecord`, by a commit that begins after the call. */
  commit: () => Promise<void>
  /**
   * Waits until every transaction that has written to the table so far has ended, so that its commit is visible. An
   * absence read earlier may be a row whose commit still waits for the standby, or was just replicated and is not
   * visible yet.
   * @throws Refusal unavailable if one has not ended in time
   */
  waitForWriters: () => Promise<void>
}

/** @param table whose writers are awaited */
export function createDurableState(db: Db, table: keyof Tables): DurableState {
  const commit = shareRuns(() => commitEmptyRecord(db))
  const list = shareRuns(() => listWriters(db, table))
  return { commit, waitForWriters: () => waitForWriters(list) }
}

async function waitForWriters(list: () => Promise<string[]>): Promise<void> {
  const untilMs = performance.now() + WRITERS_MS
  let writers = await list()
  while (writers.length > 0) {
    if (performance.now() > untilMs) throw new Refusal('unavailable')
    await pause(WRITERS_CHECK_MS)
    const still = new Set(await list())
    writers = writers.filter((id) => still.has(id))
  }
}

/** Unfinished transactions that have written to the table; each holds its lock until its rows are visible. */
async function listWriters(db: Db, table: keyof Tables): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select virtualtransaction as id from pg_locks
    where locktype = 'relation' and relation = ${table}::regclass and mode = 'RowExclusiveLock' and granted
      and database = (select oid from pg_database where datname = current_database())`.execute(db)
  return rows.map(({ id }) => id)
}
