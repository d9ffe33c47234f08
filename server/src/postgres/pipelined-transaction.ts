// Pipelined transactions: statements are sent without waiting for earlier replies, because under load the database
// round trip dominates the time of a batch. Used by the attempts that read; `cached` is one call.

import type { Writable } from 'node:stream'
import { Kysely, PostgresDialect, sql } from 'kysely'
import type pg from 'pg'
import type { Tx } from './db.ts'
import type { Tables } from './tables.ts'

const pipelineOf = new WeakMap<pg.ClientBase, Tx>()

/**
 * Executes statements on one client as they are issued; Kysely's own transactions wait for each reply first. Refuses
 * statements outside the transaction: before `begin` or after `commit` each would be its own transaction.
 */
function pipelineOn(client: pg.PoolClient): Tx {
  const existing = pipelineOf.get(client)
  if (existing) return existing
  let isInside = false
  const query = async (text: string, values: unknown[]): Promise<pg.QueryResult> => {
    if (text === 'begin') isInside = true
    if (!isInside) throw new Error(`Outside of its transaction: ${text}`)
    if (text === 'commit' || text === 'rollback') isInside = false
    corkUntilNextTick(client)
    const result = await client.query(text, values)
    // PostgreSQL answers a commit with a rollback after a failed statement; that statement itself reports the error.
    if (text === 'commit' && result.command !== 'COMMIT') throw new RolledBack()
    return result
  }
  const dialect = new PostgresDialect({
    pool: { connect: async () => ({ query, release: () => {} }), end: async () => {} } as never,
  })
  const pipeline = new Kysely<Tables>({ dialect }) as unknown as Tx
  pipelineOf.set(client, pipeline)
  return pipeline
}

class RolledBack extends Error {
  constructor() {
    super('The transaction was rolled back')
  }
}

/** Corks the client's socket until the next tick, so that all statements issued now are sent as one packet. */
function corkUntilNextTick(client: pg.PoolClient): void {
  const { connection } = client as unknown as { connection: { stream: Writable } }
  const { stream } = connection
  stream.cork()
  process.nextTick(() => stream.uncork())
}

/**
 * A pipelined transaction: its statements are sent without waiting, and answered in order. Use only raw `sql` in it,
 * because everything, including `begin` and `commit`, must use the same connection.
 * @throws the error of a statement; then nothing was written
 */
export async function runPipelined<Result>(batches: pg.Pool, run: (tx: Tx) => Promise<Result>): Promise<Result> {
  const client = await batches.connect()
  const tx = pipelineOn(client)
  let committing: Promise<unknown> | undefined
  try {
    // Its success is awaited: after a failed `begin` each statement would be its own transaction.
    await sql`begin`.execute(tx)
    const result = await run(tx)
    committing = sql`commit`.execute(tx)
    await committing
    client.release()
    return result
  } catch (error) {
    // Everything in flight is answered before this; a client that fails even here is closed. A commit that was sent
    // ends the transaction either way, and nothing can be rolled back after it.
    await (committing ?? sql`rollback`.execute(tx)).then(
      () => client.release(),
      (failure: Error) => client.release(failure instanceof RolledBack ? undefined : failure),
    )
    throw error
  }
}
