// The cursor of the exposure: which tickets and events are counted. Ids are drawn before their transactions commit, so
// a lower id can appear after a higher one; `0020-book.sql` explains how none is missed or counted twice.

import { sql } from 'kysely'
import { type Db, type Tx, unquotedArray } from '../postgres/db.ts'
import type { CountableTicket, ReleasedLine } from './book-sums.ts'

/**
 * The last drawn ids. Read before the cursor is locked, so that the transactions that drew them are older than the
 * caller's.
 */
export interface DrawnIds {
  order_id: number
  event_id: number
}

export interface Cursor {
  version: number
  orders_up_to: number
  orders_beyond: string
  events_up_to: number
  events_beyond: string
  mark_order_id: number
  mark_event_id: number
  /** The caller's own transaction. */
  own_xid: string
  /** Whether every transaction that could have drawn ids up to the mark has ended. */
  isMarkPassed: boolean
}

export async function readDrawnIds(tx: Tx): Promise<DrawnIds> {
  const { rows } = await sql<DrawnIds>`
    select (select last_value - (not is_called)::int from order_ids) as order_id,
      (select last_value - (not is_called)::int from order_events_event_id_seq) as event_id`.execute(tx)
  return rows[0]!
}

/**
 * Locks the cursor until the transaction ends.
 * @returns undefined if another step holds it and the caller does not wait
 */
export async function lockCursor(tx: Tx, isWaiting: boolean): Promise<Cursor | undefined> {
  const { rows } = await sql<Omit<Cursor, 'own_xid' | 'isMarkPassed'>>`
    select version, orders_up_to, orders_beyond::text as orders_beyond, events_up_to, events_beyond::text as events_beyond,
      mark_order_id, mark_event_id
    from book_cursor for update ${isWaiting ? sql`` : sql`skip locked`}`.execute(tx)
  if (!rows[0]) return undefined
  // A separate statement, with a newer snapshot than that of the ids; the tickets are read with still newer ones. A
  // mark beyond the next transaction is from another server, from which the database was copied: none of its
  // transactions runs here.
  const { rows: horizon } = await sql<Pick<Cursor, 'own_xid' | 'isMarkPassed'>>`
    select pg_current_xact_id()::text as own_xid,
      pg_snapshot_xmin(pg_current_snapshot()) >= mark_xid or mark_xid > pg_snapshot_xmax(pg_current_snapshot()) as "isMarkPassed"
    from book_cursor`.execute(tx)
  return { ...rows[0], ...horizon[0]! }
}

/**
 * Whether tickets or events are not counted yet, or the cursor can move forward, because the scans below begin at its
 * ids.
 */
export async function isBehind(db: Db): Promise<boolean> {
  const { rows } = await sql<{ isBehind: boolean }>`
    select exists (select 1 from orders where order_id > orders_up_to and not order_id <@ orders_beyond)
      or exists (select 1 from order_events where event_id > events_up_to and not event_id <@ events_beyond)
      or orders_beyond <> '{}' or events_beyond <> '{}' as "isBehind"
    from book_cursor`.execute(db)
  return rows[0]!.isBehind
}

/** A ticket to count. */
export interface UncountedTicket extends CountableTicket {
  /** The member's parent; all children of one parent have the same uplines. */
  parent_id: number
  /**
   * Tickets of decided periods are skipped. Those of a period being settled count, because it may not be sealed yet.
   */
  isDecided: boolean
}

const ticketColumns = sql`orders.order_id, orders.period_id, orders.user_id, orders.package_id, orders.slots::text as slots,
  orders.lines, orders.differences::text as differences, users.parent_id`

/** The next uncounted tickets by id, of one period or of all. */
export async function listUncountedTickets(
  tx: Tx,
  { orders_up_to, orders_beyond }: Pick<Cursor, 'orders_up_to' | 'orders_beyond'>,
  limit: number,
  period_id?: number,
): Promise<UncountedTicket[]> {
  await useIndexes(tx)
  const { rows } = await sql<UncountedTicket>`
    select ${ticketColumns}, periods.outcome not in ('pending', 'settling') as "isDecided"
    from (select * from orders
      where ${period_id === undefined ? sql`true` : sql`period_id = ${period_id}`} and order_id > ${orders_up_to}
        and not order_id <@ ${orders_beyond}::int8multirange
      order by order_id limit ${limit}) orders
      join periods using (period_id) join users using (user_id)`.execute(tx)
  return rows
}

/** An event to count, with its ticket and the items it released. */
export interface UncountedEvent extends UncountedTicket {
  event_id: number
  released: ReleasedLine[]
}

/** The next uncounted events by id, of one period's tickets or of all. */
export async function listUncountedEvents(
  tx: Tx,
  { events_up_to, events_beyond }: Pick<Cursor, 'events_up_to' | 'events_beyond'>,
  limit: number,
  period_id?: number,
): Promise<UncountedEvent[]> {
  await useIndexes(tx)
  const { rows } = await sql<UncountedEvent>`
    select event_id, ${ticketColumns}, periods.outcome not in ('pending', 'settling') as "isDecided",
      coalesce(events.details -> 'released', '[]') as released
    from (select * from order_events where event_id > ${events_up_to} and not event_id <@ ${events_beyond}::int8multirange) events
      join orders using (order_id) join periods using (period_id) join users using (user_id)
    where ${period_id === undefined ? sql`true` : sql`orders.period_id = ${period_id}`}
    order by event_id limit ${limit}`.execute(tx)
  return rows
}

/** Forces index scans, because plans for tables that grow from empty are soon wrong. */
async function useIndexes(tx: Tx): Promise<void> {
  await sql`set local enable_seqscan = off`.execute(tx)
}

export interface CursorChange {
  version: number
  order_ids: readonly number[]
  event_ids: readonly number[]
  orders_up_to: number
  events_up_to: number
  /** Set if the earlier one was passed. */
  mark: (DrawnIds & { own_xid: string }) | null
}

const counted = (ids: readonly number[]) => sql`
  (select coalesce(range_agg(int8range(id, id, '[]')), '{}') from unnest(${unquotedArray(ids)}::bigint[]) id)`

const beyond = (up_to: number) => sql`int8multirange(int8range(${up_to}::bigint + 1, null))`

export async function moveCursor(tx: Tx, change: CursorChange): Promise<void> {
  const { mark, order_ids, event_ids, orders_up_to, events_up_to } = change
  await sql`
    update book_cursor set version = ${change.version}, stepped_at = clock_timestamp(),
      orders_up_to = ${orders_up_to}, orders_beyond = (orders_beyond + ${counted(order_ids)}) * ${beyond(orders_up_to)},
      events_up_to = ${events_up_to}, events_beyond = (events_beyond + ${counted(event_ids)}) * ${beyond(events_up_to)}
      ${
        mark
          ? sql`, mark_xid = ${mark.own_xid}::xid8, mark_order_id = ${mark.order_id}, mark_event_id = ${mark.event_id}`
          : sql``
      }`.execute(tx)
}

/** Which of the given tickets are counted. */
export async function listCounted(tx: Tx, order_ids: readonly number[]): Promise<Set<number>> {
  const { rows } = await sql<{ order_id: number }>`
    select order_id from unnest(${unquotedArray(order_ids)}::bigint[]) order_id, book_cursor
    where order_id <= orders_up_to or order_id <@ orders_beyond`.execute(tx)
  return new Set(rows.map((row) => row.order_id))
}

/** Commits without waiting for the disk. After a crash the whole step is lost and repeated. */
export async function commitWithoutDisk(tx: Tx): Promise<void> {
  await sql`set local synchronous_commit = off`.execute(tx)
}
