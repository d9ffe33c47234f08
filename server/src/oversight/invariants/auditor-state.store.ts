// Progress of the integrity check, and the keys of the next piece of a full check.

import { sql } from 'kysely'
import { tryLock } from '../../postgres/advisory-locks.ts'
import { type Db, isLockTimeout, type Tx } from '../../postgres/db.ts'
import { type KeyKind, memberPeriodKey, memberPeriodParts } from './invariant.ts'

/** The last drawn ids. */
export interface DrawnIds {
  order_id: number
  event_id: number
  entry_id: number
}

/** What a transaction sees. */
export interface Snapshot {
  snapshot: string
  /** The oldest transaction that was running. */
  oldest_xid: number
  /** The next transaction. */
  next_xid: number
}

export interface AuditorState {
  snapshot: string | null
  ran_at: Date | null
  up_to_order_id: number
  up_to_event_id: number
  up_to_entry_id: number
  mark_xid: number
  mark_order_id: number
  mark_event_id: number
  mark_entry_id: number
  drawn_order_id: number
  drawn_event_id: number
  drawn_entry_id: number
  whole_kind: KeyKind | null
  whole_after_key: number
  is_whole_requested: boolean
  whole_started_at: Date | null
  whole_ended_at: Date | null
}

export async function readState(db: Db): Promise<AuditorState> {
  const { rows } = await sql<AuditorState>`select * from auditor_state`.execute(db)
  return rows[0]!
}

/** How long to wait for the lock, which the server's vacuum holds briefly from time to time. */
const LOCK_WAIT = '500ms'
/** How long the transaction waits for other locks, which are never held for long. */
const OTHER_LOCK_WAIT = '5s'

/**
 * The transaction with the lock is idle while the reader checks. A node that vanished without closing its connection
 * keeps the lock at most this long. A longer check loses its findings, and the next run repeats it.
 */
const IDLE = '5min'

/**
 * Only one node checks at a time. The lock is on the state table, in a mode that neither reads nor writes wait for, and
 * that requires write access, which only the owner's log-in has. A row lock would assign a transaction id, and the
 * exposure counts no further than the oldest running one.
 * @param owner a transaction of the owner
 * @returns whether the transaction has the lock, until it ends; if not, the transaction has failed
 */
export async function lockIntegrityCheck(owner: Tx): Promise<boolean> {
  await sql`set local lock_timeout = ${sql.lit(LOCK_WAIT)}`.execute(owner)
  try {
    await sql`lock table auditor_state in share update exclusive mode`.execute(owner)
  } catch (error) {
    if (isLockTimeout(error)) return false
    throw error
  }
  await limitLockWaits(owner)
  await sql`set local idle_in_transaction_session_timeout = ${sql.lit(IDLE)}`.execute(owner)
  return true
}

/** The owner's transactions have no limit by default. The next run does what this one got no lock for. */
export async function limitLockWaits(owner: Tx): Promise<void> {
  await sql`set local lock_timeout = ${sql.lit(OTHER_LOCK_WAIT)}`.execute(owner)
}

/**
 * Marks the reading session until the owner's transaction ends, because other readers may share its log-in; only the
 * application and the owner can take the lock. Does not wait for it: a session that already holds it protects this one
 * as well.
 */
export async function markIntegrityReader(owner: Tx, reader: Db): Promise<void> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(reader)
  await sql`select ${tryLock('auditorReader', sql.lit(rows[0]!.pid))}`.execute(owner)
}

/** Whether changes were never checked, or last this many seconds ago. */
export async function isOlderThan(db: Db, seconds: number): Promise<boolean> {
  const { rows } = await sql<{ is_older: boolean }>`
    select coalesce(ran_at < clock_timestamp() - ${seconds} * interval '1 second', true) as is_older
    from auditor_state`.execute(db)
  return rows[0]!.is_older
}

/**
 * Records that everything in the snapshot was checked. The ids from which rows are searched follow two runs later, once
 * all transactions of that time have ended, because an id is drawn before its row is visible.
 */
export async function noteRun(db: Db, { snapshot, oldest_xid, next_xid }: Snapshot, drawn: DrawnIds): Promise<void> {
  // A mark beyond the next transaction is from another server, from which the database was copied.
  const isPassed = sql`(mark_xid <= ${oldest_xid} or mark_xid > ${next_xid})`
  const follow = (ids: string, by: string) =>
    sql.join(
      (['order', 'event', 'entry'] as const).map((record) => {
        const column = sql.ref(`${ids}_${record}_id`)
        return sql`${column} = case when ${isPassed} then ${sql.ref(`${by}_${record}_id`)} else ${column} end`
      }),
    )
  await sql`
    update auditor_state set snapshot = ${snapshot}, ran_at = clock_timestamp(),
      ${follow('up_to', 'mark')}, ${follow('mark', 'drawn')},
      mark_xid = case when ${isPassed} then ${next_xid} else mark_xid end,
      drawn_order_id = ${drawn.order_id}, drawn_event_id = ${drawn.event_id}, drawn_entry_id = ${drawn.entry_id}`.execute(
    db,
  )
}

/** Requests a full check. One under way continues, unless it is asked to start again. */
export async function saveFullCheckRequest(db: Db): Promise<void> {
  await sql`update auditor_state set is_whole_requested = true`.execute(db)
}

export async function startWhole(db: Db, first: KeyKind): Promise<void> {
  await sql`
    update auditor_state set whole_kind = ${first}, whole_after_key = 0, is_whole_requested = false,
      whole_started_at = clock_timestamp()`.execute(db)
}

/** @param kind null if everything was checked */
export async function saveFullCheckProgress(db: Db, kind: KeyKind | null, after_key: number): Promise<void> {
  await sql`
    update auditor_state set whole_kind = ${kind}, whole_after_key = ${after_key},
      whole_ended_at = case when ${kind}::text is null then clock_timestamp() else whole_ended_at end`.execute(db)
}

const tableOf = {
  order: sql`select order_id as key from orders where order_id > `,
  entry: sql`select entry_id as key from entries where entry_id > `,
  user: sql`select user_id as key from users where user_id > `,
  period: sql`select period_id as key from periods where period_id > `,
} as const

/** The next keys after one, in order. */
export async function listKeys(db: Db, kind: KeyKind, after: number, limit: number): Promise<number[]> {
  const query =
    kind === 'member_period'
      ? sql<{ key: number }>`select ${memberPeriodKey} as key from member_periods
          where (user_id, period_id) > ${memberPeriodParts(after)} order by user_id, period_id limit ${limit}`
      : sql<{ key: number }>`${tableOf[kind]} ${after} order by key limit ${limit}`
  return (await query.execute(db)).rows.map(({ key }) => key)
}
