import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely'
import pg from 'pg'
import { cancelAbandoned } from './cancel-request.ts'
import { observePools } from '../lib/metrics.ts'
import type { Tables } from './tables.ts'

/** A database connection or transaction: the first parameter of every store function. */
export type Db = Kysely<Tables>
export type Tx = Transaction<Tables>

/** Runs work in the given transaction, or in a new one. */
export function inTransaction<Result>(db: Db, work: (tx: Tx) => Promise<Result>): Promise<Result> {
  return db.isTransaction ? work(db as Tx) : db.transaction().execute(work)
}

/** Reads in one snapshot, without seeing later commits. Given a transaction, uses that, with its isolation level. */
export function inSnapshot<Result>(db: Db, read: (tx: Tx) => Promise<Result>): Promise<Result> {
  if (db.isTransaction) return read(db as Tx)
  return db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read)
}

const INT8 = 20
const INT8_ARRAY = 1016
const DATE = 1082

/**
 * Amounts are safe integers by rule, so int8 is read as a number; an unsafe one is a bug and must not become an amount.
 */
function readInt8(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new Error(`Not a safe integer: ${text}`)
  return value
}

/** `{1,2}`; the schema has neither nulls in arrays nor nested arrays. */
function readInt8Array(text: string): number[] {
  const values = JSON.parse(`[${text.slice(1, -1)}]`) as number[]
  if (!values.every(Number.isSafeInteger)) throw new Error(`Not safe integers: ${text}`)
  return values
}

const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === INT8 && format !== 'binary') return readInt8
    if (oid === INT8_ARRAY && format !== 'binary') return readInt8Array
    // A calendar day stays text; a Date would shift it by the machine's time zone.
    if (oid === DATE && format !== 'binary') return (text: string) => text
    return pg.types.getTypeParser(oid, format)
  },
}

/** The application's connections to one database, by use. */
export interface DatabaseHandles {
  db: Db
  /** For intake: calls of `place_batch`, and pipelined transactions, which need a connection each. */
  batches: pg.Pool
  /** For reports: reads everything except secrets, as `megalot_auditor`, and each query gets its own plan. */
  reports: Db
  /** The same for lists, which people scroll through while others' reports run. */
  lists: Db
}

export interface Database extends DatabaseHandles {
  pool: pg.Pool
  close(): Promise<void>
}

export interface DatabaseOptions {
  url: string
  /**
   * `megalot_app` may neither change nor delete records of money; `owner` is for seeds and the office's command line.
   */
  role: 'megalot_app' | 'owner'
  /** For calls. */
  maxConnections?: number
  maxReports?: number
  maxLists?: number
  onError?: (error: Error) => void
}

/** Time limits of the application's statements, of waiting for a lock, and of idling inside a transaction, in ms. */
const STATEMENT_MS = 10_000
const LOCK_MS = 8_000
const IDLE_IN_TRANSACTION_MS = 10_000
/** How long the server may be silent before the connection is closed, in ms. */
export const SILENCE_MS = 12_000
/** How long to wait for a connection, in ms. */
export const CONNECT_MS = 5_000

/** How many statements with parameters a connection keeps prepared; others are planned each time. */
const MAX_PREPARED = 300

/**
 * A client that prepares each statement with parameters once per connection. After a query timeout it closes the
 * connection, because a late reply could be taken for another query's, and cancels the server's work, because commits
 * that wait for a standby would pile up.
 */
class PreparingClient extends pg.Client {
  private readonly names = new Map<string, string>()
  private isAbandoned = false

  // All overloads of `query` end here; the application uses the one that returns a promise.
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
    if (known !== undefined || this.names.size >= MAX_PREPARED) return known
    const name = `s${this.names.size}`
    this.names.set(text, name)
    return name
  }

  private cutAfter(error: unknown): void {
    if (!(error instanceof Error) || error.message !== QUERY_TIMED_OUT) return
    const { connection } = this as unknown as { connection: { stream: { destroy(): void } } }
    connection.stream.destroy()
    if (this.isAbandoned) return
    this.isAbandoned = true
    cancelAbandoned(this)
  }
}

/** For calls, unless set otherwise. */
export const CALL_CONNECTIONS = 12
/** Batches have their own connections, so that they and other calls do not delay each other. */
export const MAX_CACHED_BATCHES = 4
/** For tickets that the cached attempt leaves undecided. */
export const MAX_READ_BATCHES = 3

/**
 * Batches read by index, with plans made once. A generic plan made for an empty table would keep scanning the table
 * once it is full, and planning each time takes as long as the smaller half of the statements.
 */
const GO_BY_INDEX =
  'set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off; set plan_cache_mode = force_generic_plan'

/** Reports have few connections, so that many of them leave the database to the tickets. */
export const REPORT_CONNECTIONS = 4
/** Lists have their own connections, so that they wait for no report. */
export const LIST_CONNECTIONS = 3

/**
 * The busiest member has a thousand times the tickets of a typical one, and no plan suits both, so reports and lists
 * are planned for the actual values.
 */
const PLAN_EACH_TIME = 'set plan_cache_mode = force_custom_plan'

/**
 * The integrity check has one connection, and time for a large period: its statements may take longer than those of
 * calls, in ms.
 */
export const AUDITOR_CONNECTIONS = 1
const AUDITOR_STATEMENT_MS = 60_000
/** A piece of a check is small, and JIT compilation would take longer than running it. */
const CHECK_PIECES = `${PLAN_EACH_TIME}; set jit = off; set statement_timeout = ${AUDITOR_STATEMENT_MS};
  set idle_in_transaction_session_timeout = ${AUDITOR_STATEMENT_MS}; set default_transaction_read_only = on`

const QUERY_TIMED_OUT = 'Query read timeout'

/**
 * Opens a node's pools, which connect on first use.
 * @returns handles, and `close`, which waits for what they run
 */
export function openDatabase(options: DatabaseOptions): Database {
  const pool = openPool(options, options.maxConnections ?? CALL_CONNECTIONS, (client) =>
    takeRole(client, 'megalot_app'),
  )
  const batches = openPool(options, MAX_CACHED_BATCHES + MAX_READ_BATCHES, async (client) => {
    await takeRole(client, 'megalot_app')
    await client.query(GO_BY_INDEX)
  })
  const openReaders = (max: number): pg.Pool =>
    openPool(options, max, async (client) => {
      await takeRole(client, 'megalot_auditor')
      await client.query(PLAN_EACH_TIME)
    })
  const reportPool = openReaders(options.maxReports ?? REPORT_CONNECTIONS)
  const listPool = openReaders(options.maxLists ?? LIST_CONNECTIONS)
  const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  const reports = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: reportPool }) })
  const lists = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: listPool }) })
  const stopObserving = observePools(options.role, { calls: pool, batches, reports: reportPool, lists: listPool })
  const close = async (): Promise<void> => {
    stopObserving()
    await Promise.all([db.destroy(), reports.destroy(), lists.destroy(), batches.end()])
  }
  return { db, batches, reports, lists, pool, close }
}

/** The integrity check's connection, as `megalot_auditor`, which cannot write. */
export function openIntegrityReader(options: Pick<DatabaseOptions, 'url' | 'onError'>): {
  reader: Db
  close(): Promise<void>
} {
  const pool = openPool(
    { ...options, role: 'megalot_app' },
    AUDITOR_CONNECTIONS,
    async (client) => {
      await takeRole(client, 'megalot_auditor')
      await client.query(CHECK_PIECES)
    },
    AUDITOR_STATEMENT_MS,
  )
  const reader = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  const stopObserving = observePools('megalot_auditor', { auditor: pool })
  return {
    reader,
    close: async () => {
      stopObserving()
      await reader.destroy()
    },
  }
}

function openPool(
  options: DatabaseOptions,
  max: number,
  onConnect: (client: pg.ClientBase) => Promise<void>,
  statementMs = STATEMENT_MS,
): pg.Pool {
  const isApp = options.role === 'megalot_app'
  const pool = new pg.Pool({
    Client: PreparingClient,
    connectionString: options.url,
    max,
    types,
    keepAlive: true,
    // Statements that are issued together are sent together; the server answers them in order.
    pipeline: true,
    // An unresponsive database leads to a clear refusal instead of a hanging page. Migrations and seeds may take
    // longer.
    connectionTimeoutMillis: CONNECT_MS,
    ...(isApp
      ? {
          // Not in the connection string, which could override it, and verified, because a pooler may ignore it. The
          // pool awaits this callback, although its types do not say so.
          // oxlint-disable-next-line typescript/no-misused-promises
          onConnect,
          statement_timeout: statementMs,
          lock_timeout: LOCK_MS,
          idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
          query_timeout: statementMs + SILENCE_MS - STATEMENT_MS,
        }
      : {}),
  })
  // The pool replaces a failed idle connection; without a listener the error would end the process.
  pool.on('error', (error) => options.onError?.(error))
  // The same for a connection that fails between two statements of a caller; a failing statement reports the error
  // itself.
  pool.on('connect', (client) => {
    client.on('error', () => {})
    client.on('notice', (notice) => cutUnreplicated(client, notice))
  })
  return pool
}

/**
 * If an operator cancels a commit that waits for its standby, the server reports success after this warning. The commit
 * is not replicated, so the connection is cut, and the caller gets an outage instead of an acknowledgement.
 */
function cutUnreplicated(client: pg.ClientBase, { routine }: { routine?: string | undefined }): void {
  if (routine !== 'SyncRepWaitForLSN') return
  const { connection } = client as unknown as {
    connection: { emit(event: 'error', error: Error): void; stream: { destroy(): void } }
  }
  // The success may be in the same packet, so the statement must fail before it is read.
  connection.emit('error', Object.assign(new Error('The commit was not replicated'), { code: CONNECTION_FAILURE }))
  connection.stream.destroy()
}

const CONNECTION_FAILURE = '08006'
const READ_ONLY = '25006'

/**
 * A log-in can change its own defaults for later connections (`listChangedSettings`). That could lose acknowledged
 * commits, hide the warning about a cancelled wait for the standby (decision 171), fail every batch, or change the
 * meaning of a statement. The owner's connections keep their defaults, because the owner needs no such attack.
 */
const OWN_SETTINGS = `set synchronous_commit = on; set default_transaction_isolation = 'read committed'; set DateStyle = 'ISO, MDY';
  set TimeZone = 'UTC'; set standard_conforming_strings = on; set client_min_messages = notice`

/** @throws Error if the connection has another role, or leads to a standby; then the database counts as unavailable */
async function takeRole(client: pg.ClientBase, role: 'megalot_app' | 'megalot_auditor'): Promise<void> {
  await client.query(`${OWN_SETTINGS}; set role ${role}`)
  const { rows } = await client.query<{ name: string; is_standby: boolean }>(
    'select current_user as name, pg_is_in_recovery() as is_standby',
  )
  const [state] = rows
  if (state?.name !== role) throw new Error(`The database did not let the application work as ${role}`)
  if (state.is_standby) throw Object.assign(new Error('The database is a standby'), { code: READ_ONLY })
}

/**
 * An array in PostgreSQL's text format. The driver would escape each value; some statements have hundreds, and hardly
 * any needs escaping.
 */
export function plainArray(values: readonly (number | string)[]): string {
  if (values.length === 0) return '{}'
  // All values are checked in one pass.
  if (!/["\\]/.test(values.join(' '))) return quotedArray(values)
  const escaped = values.map((value) => String(value).replaceAll(/["\\]/g, '\\$&'))
  return quotedArray(escaped)
}

/** The same for texts made by the application, without quotes and backslashes. */
export function quotedArray(values: readonly (number | string)[]): string {
  return values.length === 0 ? '{}' : `{"${values.join('","')}"}`
}

/** The same for numbers, and for identifiers of letters, digits, `_` and `-`. */
export function unquotedArray(values: readonly (number | string | null)[]): string {
  // An empty element would make the array invalid.
  return values.includes(null) ? `{${values.map((value) => value ?? 'NULL').join(',')}}` : `{${values.join(',')}}`
}

/** The database's clock, the only one that decides. */
export async function readClock(db: Db): Promise<Date> {
  const { rows } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db)
  return rows[0]!.now
}

/**
 * Errors of the driver when the database is unreachable, overloaded or silent. By SQLSTATE: class 08 connection, 53
 * insufficient resources, 57P shutting down or starting, 57014 and 55P03 timeouts, 25P03 idle in transaction, 25006 a
 * standby or a new leader; and the codes of Node's sockets.
 */
const AWAY_CODES =
  /^(08...|53...|57P..|57014|55P03|25P03|25006|ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/
const AWAY_WORDS =
  /Connection terminated|timeout exceeded when trying to connect|connection error|not queryable|Query read timeout|recovery is in progress/

/** Whether an error means that the database could not answer: an outage. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return AWAY_CODES.test((error as { code?: string }).code ?? '') || AWAY_WORDS.test(error.message)
}

/** Whether the database ended a transaction because of a deadlock. Nothing was written, so the call may be repeated. */
export function isDeadlock(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '40P01'
}

/** Whether a lock was not available within `lock_timeout`. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '55P03'
}

/**
 * Whether the database answered a statement with an error: every `DatabaseError` except an outage (`isDatabaseAway`).
 * Includes violated constraints and preconditions, deadlocks, and mistakes in the statement. Nothing was written.
 */
export function isDatabaseError(error: unknown): boolean {
  return error instanceof pg.DatabaseError && !isDatabaseAway(error)
}

/** Whether a statement could not read a value, such as a number that overflows (class 22 of the SQLSTATEs). */
export function isDataException(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code?.startsWith('22') === true
}
