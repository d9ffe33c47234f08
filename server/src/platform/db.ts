import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely'
import pg from 'pg'
import { observePools } from './metrics.ts'
import type { Tables } from './tables.ts'

/** A connection to the database, or a transaction of it: what every store function takes first. */
export type Db = Kysely<Tables>
export type Tx = Transaction<Tables>

const INT8 = 20
const INT8_ARRAY = 1016
const DATE = 1082

/** Amounts are safe integers by rule, so int8 comes as a number; one that is not safe is a bug and must not pass as money. */
function readInt8(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new Error(`Not a safe integer: ${text}`)
  return value
}

/** `{1,2}`; there are no nulls and no arrays of arrays in our tables. */
function readInt8Array(text: string): number[] {
  const values = JSON.parse(`[${text.slice(1, -1)}]`) as number[]
  if (!values.every(Number.isSafeInteger)) throw new Error(`Not safe integers: ${text}`)
  return values
}

const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === INT8 && format !== 'binary') return readInt8
    if (oid === INT8_ARRAY && format !== 'binary') return readInt8Array
    // A calendar day stays the text it is; a Date would move it with the machine's time zone.
    if (oid === DATE && format !== 'binary') return (text: string) => text
    return pg.types.getTypeParser(oid, format)
  },
}

export interface Database {
  db: Db
  pool: pg.Pool
  close(): Promise<void>
}

export interface DatabaseOptions {
  url: string
  /** `megalot_app` may neither change nor delete records of money; `owner` is for seeds and the office's own tools. */
  role: 'megalot_app' | 'owner'
  maxConnections?: number
  onError?: (error: Error) => void
}

/** What a statement of the product may take, a wait for a lock, and a pause inside a transaction, in ms. */
const STATEMENT_MS = 10_000
const LOCK_MS = 8_000
const IDLE_IN_TRANSACTION_MS = 10_000
/** When we give up on a server that is silent, and on the connection with it. */
const SILENCE_MS = 12_000

/** Statements with parameters that a connection keeps prepared; beyond them they are planned each time. */
const MOST_PREPARED = 300

/**
 * A client of our manner: it prepares each statement with parameters once a connection, and a connection on which the
 * server fell silent is cut, because what it still owes could otherwise answer somebody else's question.
 */
class PreparingClient extends pg.Client {
  private readonly names = new Map<string, string>()

  // The overloads of `query` all end here; the product uses the one that answers with a promise.
  override query(...parameters: unknown[]): never {
    const [text, values] = parameters
    const isPlain = typeof text === 'string' && Array.isArray(values) && values.length > 0 && parameters.length === 2
    const given = isPlain ? [{ name: this.nameOf(text), text, values: values as unknown[] }] : parameters
    const answer = (super.query as (...given: unknown[]) => unknown).apply(this, given)
    if (answer instanceof Promise) answer.catch((error: unknown) => this.cutAfter(error))
    return answer as never
  }

  private nameOf(text: string): string | undefined {
    const known = this.names.get(text)
    if (known !== undefined || this.names.size >= MOST_PREPARED) return known
    const name = `s${this.names.size}`
    this.names.set(text, name)
    return name
  }

  private cutAfter(error: unknown): void {
    if (!(error instanceof Error) || error.message !== QUERY_TIMED_OUT) return
    const { connection } = this as unknown as { connection: { stream: { destroy(): void } } }
    connection.stream.destroy()
  }
}

const MOST_CONNECTIONS = 12
/** Batches have connections of their own, so that no crowd of other calls keeps them waiting, nor they others. */
export const MOST_BATCHES = 6

/**
 * What a batch reads, it reads by index, and is planned once: a plan that was made while a table was empty would otherwise go on
 * reading all of it when it is full; and planning each time takes as long as the smaller half of the statements themselves.
 */
const GO_BY_INDEX =
  'set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off; set plan_cache_mode = force_generic_plan'

/** Reports and long lists have few connections, so that a crowd of them leaves the database to the tickets. */
const MOST_READERS = 4

/**
 * The busiest member has a thousand times the tickets of the usual one: a plan that suits one ruins the other, so that a
 * report is planned for the values it is asked with.
 */
const PLAN_EACH_TIME = 'set plan_cache_mode = force_custom_plan'

const QUERY_TIMED_OUT = 'Query read timeout'

export function openDatabase(options: DatabaseOptions): Database {
  const pool = openPool(options, options.maxConnections ?? MOST_CONNECTIONS, (client) => takeRole(client))
  const batchPool = openPool(options, MOST_BATCHES, async (client) => {
    await takeRole(client)
    await client.query(GO_BY_INDEX)
  })
  const readPool = openPool(options, MOST_READERS, async (client) => {
    await takeRole(client)
    await client.query(PLAN_EACH_TIME)
  })
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  const readers = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: readPool }) })
  batchPoolOf.set(db, batchPool)
  readersOf.set(db, readers)
  const stopObserving = observePools(options.role, { calls: pool, batches: batchPool, reports: readPool })
  const close = async (): Promise<void> => {
    stopObserving()
    await Promise.all([db.destroy(), readers.destroy(), batchPool.end()])
  }
  return { db, pool, close }
}

function openPool(options: DatabaseOptions, max: number, onConnect: (client: pg.ClientBase) => Promise<void>): pg.Pool {
  const isApp = options.role === 'megalot_app'
  const pool = new pg.Pool({
    Client: PreparingClient,
    connectionString: options.url,
    max,
    types,
    keepAlive: true,
    // Statements that are asked for together go out together; the server answers them in order.
    pipeline: true,
    // A database that does not answer becomes a clear refusal, not a page that hangs. Migrations and seeds may take longer.
    connectionTimeoutMillis: 5_000,
    ...(isApp
      ? {
          // Not by the connection string, which could say otherwise, and looked at, because a pooler may swallow it.
          // The pool waits for it, which its types do not say.
          // oxlint-disable-next-line typescript/no-misused-promises
          onConnect,
          statement_timeout: STATEMENT_MS,
          lock_timeout: LOCK_MS,
          idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
          query_timeout: SILENCE_MS,
        }
      : {}),
  })
  // A connection that dies while idle is the pool's to replace; without a listener it would end the process.
  pool.on('error', (error) => options.onError?.(error))
  // The same for one that dies in between two statements of a caller; the statement itself fails and is heard there.
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

async function takeRole(client: pg.ClientBase): Promise<void> {
  await client.query('set role megalot_app')
  const { rows } = await client.query<{ name: string }>('select current_user as name')
  if (rows[0]?.name !== 'megalot_app') throw new Error('The database did not let the product work as megalot_app')
}

const batchPoolOf = new WeakMap<Db, pg.Pool>()
const readersOf = new WeakMap<Db, Db>()

/** The connections that are kept for batches. */
export function poolForBatches(db: Db): pg.Pool {
  return batchPoolOf.get(db)!
}

/** The same database for reports and long lists: each question gets a plan of its own. */
export function forReports(db: Db): Db {
  return readersOf.get(db) ?? db
}

/**
 * An array as the database reads it. The driver would escape each value; a batch has thousands, and hardly any has something
 * to escape. It never throws: a statement that is not sent must not leave its commit alone.
 */
export function plainArray(values: readonly (number | string)[]): string {
  if (values.length === 0) return '{}'
  // All are looked through at once.
  if (!/["\\]/.test(values.join(' '))) return quotedArray(values)
  const escaped = values.map((value) => String(value).replaceAll(/["\\]/g, '\\$&'))
  return quotedArray(escaped)
}

/** The same for texts of our own making, in which there is neither a quote nor a backslash. */
export function quotedArray(values: readonly (number | string)[]): string {
  return values.length === 0 ? '{}' : `{"${values.join('","')}"}`
}

/** The same for numbers, and for words of our own of letters, digits, `_` and `-`. */
export function bareArray(values: readonly (number | string | null)[]): string {
  // An empty place would be a fault in the array.
  return values.includes(null) ? `{${values.map((value) => value ?? 'NULL').join(',')}}` : `{${values.join(',')}}`
}

/** The database's clock: the only one that decides. */
export async function readClock(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db)
  return rows[0]!.now
}

/** The constraint that an error of the database says is violated. */
export function violatedConstraint(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.constraint : undefined
}

/**
 * What the driver says when the database is away, busy beyond its limits, or silent. By SQLSTATE: class 08 connection,
 * 53 out of resources, 57P going down or starting, 57014 and 55P03 out of time, 25P03 cut in a pause; and what Node's
 * sockets say.
 */
const AWAY_CODES =
  /^(08...|53...|57P..|57014|55P03|25P03|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/
const AWAY_WORDS =
  /Connection terminated|timeout exceeded when trying to connect|connection error|not queryable|Query read timeout/

/** Whether an error means that the database could not answer, rather than that it said no. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return AWAY_CODES.test((error as { code?: string }).code ?? '') || AWAY_WORDS.test(error.message)
}

/** Whether an error is the database's own no: nothing was written then. */
export function isRefusedByDatabase(error: unknown): boolean {
  return error instanceof pg.DatabaseError && !isDatabaseAway(error)
}
