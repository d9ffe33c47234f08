// How far the auditor is, and the keys of the next piece of a check of everything.

import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db.ts'
import { takeLockIfFree } from '../../platform/advisory-locks.ts'
import { type KeyKind, memberPeriodKey, memberPeriodParts } from './invariant.ts'

/** The last ids that were drawn. */
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

/** One node audits at a time. @returns whether the transaction has the lock, until it ends */
export async function lockAuditor(tx: Tx): Promise<boolean> {
  const { rows } = await sql<{ is_locked: boolean }>`select ${takeLockIfFree('auditor')} as is_locked`.execute(tx)
  return rows[0]!.is_locked
}

/**
 * Notes that everything the snapshot shows was checked. The ids from which on rows are searched follow two runs later, and after all
 * transactions have ended that were running then: an id is drawn before its row can be seen.
 */
export async function noteRun(db: Db, { snapshot, oldest_xid, next_xid }: Snapshot, drawn: DrawnIds): Promise<void> {
  // A mark beyond the next transaction is of another server, from which the database was copied.
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

/** Asks for a check of everything. One that is under way goes on, unless it is asked to begin anew. */
export async function requestWhole(db: Db): Promise<void> {
  await sql`update auditor_state set is_whole_requested = true`.execute(db)
}

export async function startWhole(db: Db, first: KeyKind): Promise<void> {
  await sql`
    update auditor_state set whole_kind = ${first}, whole_after_key = 0, is_whole_requested = false,
      whole_started_at = clock_timestamp()`.execute(db)
}

/** @param kind null: everything was checked */
export async function moveWhole(db: Db, kind: KeyKind | null, after_key: number): Promise<void> {
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
export async function listKeys(tx: Tx, kind: KeyKind, after: number, limit: number): Promise<number[]> {
  const query =
    kind === 'member_period'
      ? sql<{ key: number }>`select ${memberPeriodKey} as key from member_periods
          where (user_id, period_id) > ${memberPeriodParts(after)} order by user_id, period_id limit ${limit}`
      : sql<{ key: number }>`${tableOf[kind]} ${after} order by key limit ${limit}`
  return (await query.execute(tx)).rows.map(({ key }) => key)
}
