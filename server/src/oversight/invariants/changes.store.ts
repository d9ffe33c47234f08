// What has changed since the last check. A row may have changed if its transaction is not older than all that ran then
// (`is_newer`), so late commits are not missed. Tickets, events and entries, which are many, are read from an id on;
// accounts, periods, quotas and sums of pending periods in full. Rows changed by hand are found wherever a table is
// read.

import { sql } from 'kysely'
import { type Db, type Tx, unquotedArray } from '../../postgres/db.ts'
import type { AuditorState, DrawnIds, Snapshot } from './auditor-state.store.ts'
import { type ChangeList, memberPeriodKey } from './invariant.ts'

/** The keys of changed records. */
export type Changes = Record<ChangeList, number[]>

export async function readDrawnIds(db: Db): Promise<DrawnIds> {
  const { rows } = await sql<DrawnIds>`
    select (select last_value - (not is_called)::int from order_ids) as order_id,
      (select last_value - (not is_called)::int from order_events_event_id_seq) as event_id,
      (select last_value - (not is_called)::int from entry_ids) as entry_id`.execute(db)
  return rows[0]!
}

/** The snapshot of the transaction. */
export async function readSnapshot(tx: Tx): Promise<Snapshot> {
  const { rows } = await sql<Snapshot>`
    select pg_current_snapshot()::text as snapshot, pg_snapshot_xmin(pg_current_snapshot())::text::bigint as oldest_xid,
      pg_snapshot_xmax(pg_current_snapshot())::text::bigint as next_xid`.execute(tx)
  return rows[0]!
}

/** Whether more than `most` tickets have an id above a given one. Stops reading there, and transfers no rows. */
export async function hasMoreOrders(tx: Tx, above_order_id: number, most: number): Promise<boolean> {
  const { rows } = await sql<{ has_more: boolean }>`
    select exists (select from orders where order_id > ${above_order_id} order by order_id offset ${most}) as has_more`.execute(
    tx,
  )
  return rows[0]!.has_more
}

/**
 * Keys per statement: reading more would block the event loop, and others' tickets, for more than a few milliseconds.
 */
const KEYS_AT_ONCE = 10_000

/** Tables that are searched from an id on, with the id's column. */
const idOf = { orders: 'order_id', order_events: 'event_id', entries: 'entry_id' } as const

/** Rows read that are newer than a snapshot. */
interface NewerRows {
  isNewer: (row: string) => ReturnType<typeof sql>
  most: number
  /** The tickets of all rows read so far. */
  orders: Set<number>
}

/**
 * The ids of newer rows above one, whose tickets are added to `orders`.
 * @returns undefined if there are more than `most`
 */
async function listNewer(
  tx: Tx,
  table: keyof typeof idOf,
  above_id: number,
  { isNewer, most, orders }: NewerRows,
): Promise<number[] | undefined> {
  const id = sql.ref(idOf[table])
  const found: number[] = []
  for (let above = above_id; ; above = found.at(-1)!) {
    const { rows } = await sql<{ ids: number[]; order_ids: number[] }>`
      select coalesce(array_agg(id order by id), '{}') as ids,
        coalesce(array_agg(distinct order_id) filter (where order_id is not null), '{}') as order_ids
      from (
        select ${id} as id, order_id from ${sql.table(table)} r where ${id} > ${above} and ${isNewer('r')}
        order by ${id} limit ${KEYS_AT_ONCE}) page`.execute(tx)
    const { ids, order_ids } = rows[0]!
    for (const one of ids) found.push(one)
    for (const order_id of order_ids) orders.add(order_id)
    if (found.length > most) return undefined
    if (ids.length < KEYS_AT_ONCE) return found
  }
}

/** @returns undefined if more than `most` tickets, events or entries have changed */
export async function listChanges(
  tx: Tx,
  { snapshot, up_to_order_id, up_to_event_id, up_to_entry_id }: AuditorState & { snapshot: string },
  { next_xid }: Snapshot,
  most: number,
): Promise<Changes | undefined> {
  const isNewer = (row: string) => sql`is_newer(${sql.raw(row)}.xmin, ${snapshot}::pg_snapshot, ${sql.lit(next_xid)})`
  const keysOf = async (query: ReturnType<typeof sql<{ key: number }>>): Promise<number[]> =>
    (await query.execute(tx)).rows.map(({ key }) => key)
  const newer = { isNewer, most, orders: new Set<number>() }
  // One list after the other, to keep no further one in memory if everything has to be checked anyway.
  if (!(await listNewer(tx, 'orders', up_to_order_id, newer))) return undefined
  if (!(await listNewer(tx, 'order_events', up_to_event_id, newer))) return undefined
  const entry = await listNewer(tx, 'entries', up_to_entry_id, newer)
  if (!entry) return undefined
  const order = [...newer.orders]
  const { rows: accounts } = await sql<{ user_id: number | null; period_id: number | null }>`
    select user_id, period_id from accounts a where ${isNewer('a')}`.execute(tx)
  const memberPeriods = new Set<number>()
  for (let at = 0; at < order.length; at += KEYS_AT_ONCE) {
    const some = unquotedArray(order.slice(at, at + KEYS_AT_ONCE))
    const keys = await keysOf(sql`
      select distinct ${memberPeriodKey} as key from orders where order_id = any(${some}::bigint[])`)
    for (const key of keys) memberPeriods.add(key)
  }
  const pending = sql`periods where outcome = 'pending' and open_at <= clock_timestamp()`
  const sums = await keysOf(sql`
    select ${memberPeriodKey} as key from (select period_id as of_period from ${pending}) p
      join member_periods m on m.period_id + 0 = of_period where ${isNewer('m')}`)
  const period = distinct([
    ...accounts.flatMap(({ period_id }) => period_id ?? []),
    ...(await keysOf(sql`
      select period_id as key from periods p where ${isNewer('p')}
      union select period_id from settlements s where ${isNewer('s')}
      union select period_id from period_voids v where ${isNewer('v')}
      union select period_id from slot_indexes i where ${isNewer('i')}
      union select q.period_id from (select period_id from ${pending}) p join quota_blocks q using (period_id)
        where ${isNewer('q')}`)),
  ])
  return {
    order,
    entry,
    user: distinct(accounts.flatMap(({ user_id }) => user_id ?? [])),
    member_period: distinct([...memberPeriods, ...sums]),
    period,
    winner: await keysOf(sql`
      select distinct user_id as key from order_wins where period_id = any(${unquotedArray(period)}::int[])`),
  }
}

export function distinct(keys: readonly number[]): number[] {
  return [...new Set(keys)]
}
