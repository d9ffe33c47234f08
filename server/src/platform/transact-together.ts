// Transactions whose statements go out without waiting for one another: under load the way to the database and back is what
// a batch would wait for most.

import type { Writable } from 'node:stream'
import { Kysely, PostgresDialect, sql } from 'kysely'
import type pg from 'pg'
import { type Db, poolForBatches, type Tx } from './db.ts'
import { commitSeconds } from './metrics.ts'
import type { Tables } from './tables.ts'

const pipelineOf = new WeakMap<pg.ClientBase, Tx>()

/**
 * Statements on one client that go out as they are asked for; Kysely's own transactions wait for each answer first. It
 * sees to it that none leaves its transaction: a statement before `begin` or after `commit` would be one of its own.
 */
function pipelineOn(client: pg.PoolClient): Tx {
  const known = pipelineOf.get(client)
  if (known) return known
  let isInside = false
  const query = async (text: string, values: unknown[]): Promise<pg.QueryResult> => {
    if (text === 'begin') isInside = true
    if (!isInside) throw new Error(`Outside of its transaction: ${text}`)
    if (text === 'commit' || text === 'rollback') isInside = false
    sendTogether(client)
    const result = await client.query(text, values)
    // So a transaction answers in which a statement has failed; the statement itself says why.
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

/** Holds back what a client sends until all that is asked for at this moment can go out as one. */
function sendTogether(client: pg.PoolClient): void {
  const { connection } = client as unknown as { connection: { stream: Writable } }
  const { stream } = connection
  stream.cork()
  process.nextTick(() => stream.uncork())
}

/**
 * How long an idle connection stands in a transaction that nobody has needed yet, in ms. It holds nothing there: it has
 * looked at nothing.
 */
const BEGUN_MS = 100

/** Transactions that were begun ahead, by their connection: whether they stand, and what ends them when nobody comes. */
const begunOn = new WeakMap<pg.ClientBase, { stands: Promise<boolean>; timer: NodeJS.Timeout }>()

/**
 * Begins the next transaction of a connection. It has to stand before anything else is sent: where `begin` failed, each
 * statement behind it would be a transaction of its own.
 */
function beginAhead(client: pg.PoolClient, tx: Tx): void {
  const stands = sql`begin`.execute(tx).then(
    () => true,
    () => false,
  )
  const timer = setTimeout(() => {
    begunOn.delete(client)
    sql`rollback`.execute(tx).catch(() => {})
  }, BEGUN_MS).unref()
  begunOn.set(client, { stands, timer })
}

async function begin(client: pg.PoolClient, tx: Tx): Promise<void> {
  const begun = begunOn.get(client)
  begunOn.delete(client)
  clearTimeout(begun?.timer)
  if (!(await begun?.stands)) await sql`begin`.execute(tx)
}

async function sendCommit(tx: Tx): Promise<void> {
  const endTimer = commitSeconds.startTimer()
  await sql`commit`.execute(tx)
  endTimer()
}

/**
 * A transaction whose statements go out without waiting for one another, and are answered in the order in which they were
 * asked for. Only raw `sql` may be used in it: all of it, `begin` and `commit` too, takes the same way to the connection.
 * @param run is given `commit`, to be sent together with its last statements; where it was not, it follows at the end
 * @throws whatever a statement says; then nothing was written
 */
export async function transactTogether<Result>(
  db: Db,
  run: (tx: Tx, commit: () => Promise<void>) => Promise<Result>,
): Promise<Result> {
  const client = await poolForBatches(db).connect()
  const tx = pipelineOn(client)
  let committing: Promise<void> | undefined
  const commit = () => (committing ??= sendCommit(tx))
  try {
    await begin(client, tx)
    const result = await run(tx, commit)
    await commit()
    beginAhead(client, tx)
    client.release()
    return result
  } catch (error) {
    // Whatever is still on its way is answered before this; a client that cannot even do that is thrown away. A commit that
    // has been sent ends the transaction, one way or the other: nothing can be rolled back after it.
    await (committing ?? sql`rollback`.execute(tx)).then(
      () => client.release(),
      (failure: Error) => client.release(failure instanceof RolledBack ? undefined : failure),
    )
    throw error
  }
}
