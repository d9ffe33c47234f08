// Pipelined transactions: statements are sent without waiting for earlier replies, because under load the round trip to
// the database dominates the time of a batch.

import type { Writable } from 'node:stream'
import { Kysely, PostgresDialect, sql } from 'kysely'
import type pg from 'pg'
import type { Tx } from './db.ts'
import { commitSeconds } from './metrics.ts'
import type { Tables } from './tables.ts'

const pipelineOf = new WeakMap<pg.ClientBase, Tx>()

/**
 * Executes statements on one client as they are issued; Kysely's own transactions wait for each reply first. It refuses
 * statements outside of the transaction: before `begin` or after `commit` each would be a transaction of its own.
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
 * How long an idle connection stays in a pre-begun transaction, in ms. The transaction has read nothing and holds no
 * locks.
 */
const PRE_BEGIN_TTL_MS = 100

/** Pre-begun transactions by connection: whether `begin` succeeded, and the timer that rolls an unused one back. */
const preBegun = new WeakMap<pg.ClientBase, { hasBegun: Promise<boolean>; timer: NodeJS.Timeout }>()

/**
 * Begins the next transaction of a connection in advance. Its success is awaited before anything else is sent: after a
 * failed `begin` each statement would be a transaction of its own.
 */
function preBegin(client: pg.PoolClient, tx: Tx): void {
  const hasBegun = sql`begin`.execute(tx).then(
    () => true,
    () => false,
  )
  const timer = setTimeout(() => {
    preBegun.delete(client)
    sql`rollback`.execute(tx).catch(() => {})
  }, PRE_BEGIN_TTL_MS).unref()
  preBegun.set(client, { hasBegun, timer })
}

async function begin(client: pg.PoolClient, tx: Tx): Promise<void> {
  const prepared = preBegun.get(client)
  preBegun.delete(client)
  clearTimeout(prepared?.timer)
  if (!(await prepared?.hasBegun)) await sql`begin`.execute(tx)
}

async function sendCommit(tx: Tx): Promise<void> {
  const endTimer = commitSeconds.startTimer()
  await sql`commit`.execute(tx)
  endTimer()
}

/**
 * A pipelined transaction: its statements are sent without waiting for one another, and answered in the order in which
 * they were issued. Only raw `sql` may be used in it: everything, `begin` and `commit` included, uses the same
 * connection.
 * @param run gets `commit`, to be sent together with its last statements; where it does not call it, the commit follows
 * at the end
 * @throws the error of a statement; then nothing was written
 */
export async function runPipelined<Result>(
  batches: pg.Pool,
  run: (tx: Tx, commit: () => Promise<void>) => Promise<Result>,
): Promise<Result> {
  const client = await batches.connect()
  const tx = pipelineOn(client)
  let committing: Promise<void> | undefined
  const commit = () => (committing ??= sendCommit(tx))
  try {
    await begin(client, tx)
    const result = await run(tx, commit)
    await commit()
    preBegin(client, tx)
    client.release()
    return result
  } catch (error) {
    // Everything in flight is answered before this; a client that fails even here is closed. A commit that was sent
    // ends the transaction either way: nothing can be rolled back after it.
    await (committing ?? sql`rollback`.execute(tx)).then(
      () => client.release(),
      (failure: Error) => client.release(failure instanceof RolledBack ? undefined : failure),
    )
    throw error
  }
}
