import { CompiledQuery, type DatabaseConnection, Kysely, PostgresDialect, sql, type Transaction } from 'kysely'
import pg from 'pg'
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
  return text === '{}' ? [] : text.slice(1, -1).split(',').map(readInt8)
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

/** A connection on which the server fell silent is cut: what it still owes could otherwise answer somebody else's question. */
class CuttingClient extends pg.Client {
  // The overloads of `query` all end here; the product uses the one that answers with a promise.
  override query(...parameters: unknown[]): never {
    const answer = (super.query as (...given: unknown[]) => unknown).apply(this, parameters)
    if (answer instanceof Promise) answer.catch((error: unknown) => this.cutAfter(error))
    return answer as never
  }

  private cutAfter(error: unknown): void {
    if (!(error instanceof Error) || error.message !== QUERY_TIMED_OUT) return
    const { connection } = this as unknown as { connection: { stream: { destroy(): void } } }
    connection.stream.destroy()
  }
}

const QUERY_TIMED_OUT = 'Query read timeout'

export function openDatabase(options: DatabaseOptions): Database {
  const isApp = options.role === 'megalot_app'
  const pool = new pg.Pool({
    Client: CuttingClient,
    connectionString: options.url,
    max: options.maxConnections ?? 12,
    types,
    keepAlive: true,
    // A database that does not answer becomes a clear refusal, not a page that hangs. Migrations and seeds may take longer.
    connectionTimeoutMillis: 5_000,
    ...(isApp
      ? {
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
  const dialect = new PostgresDialect({
    pool,
    // Not by the connection string, which could say otherwise, and looked at, because a pooler in between may swallow it.
    ...(isApp ? { onCreateConnection: takeRole } : {}),
  })
  const db = new Kysely<Tables>({ dialect })
  return { db, pool, close: () => db.destroy() }
}

async function takeRole(connection: DatabaseConnection): Promise<void> {
  await connection.executeQuery(CompiledQuery.raw('set role megalot_app'))
  const { rows } = await connection.executeQuery<{ name: string }>(CompiledQuery.raw('select current_user as name'))
  if (rows[0]?.name !== 'megalot_app') throw new Error('The database did not let the product work as megalot_app')
}

/** The database's clock: the only one that decides. */
export async function readClock(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db)
  return rows[0]!.now
}

/** Whether an error of the driver is a broken constraint of that name. */
export function breaksConstraint(error: unknown, constraint: string): boolean {
  return error instanceof pg.DatabaseError && error.constraint === constraint
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
