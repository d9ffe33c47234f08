import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely'
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

export function openDatabase(options: DatabaseOptions): Database {
  const pool = new pg.Pool({
    connectionString: options.url,
    max: options.maxConnections ?? 12,
    // A database that does not answer becomes a clear refusal, not a page that hangs.
    connectionTimeoutMillis: 5_000,
    types,
    ...(options.role === 'megalot_app' ? { options: '-c role=megalot_app' } : {}),
  })
  // A connection that dies while idle is the pool's to replace; without a listener it would end the process.
  pool.on('error', (error) => options.onError?.(error))
  // The same for one that dies in between two statements of a caller; the statement itself fails and is heard there.
  pool.on('connect', (client) => client.on('error', () => {}))
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  return { db, pool, close: () => db.destroy() }
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

/** Whether an error means that the database is away, rather than that it said no. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = (error as { code?: string }).code ?? ''
  // Class 08: connection; 57P0x: server going down or starting; and what Node's sockets and the pool say.
  if (/^(08|57P)/.test(code) || ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT'].includes(code)) return true
  return /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error|not queryable/.test(
    error.message,
  )
}
