// What has changed since the last run of the auditor. A row has changed where the snapshot of that run does not show it, so that late
// commits are not missed, and rows changed by hand are found wherever a table is read: tickets, events and entries from an id on,
// because they are many; accounts, periods, quotas and sums of pending periods all of them.

import { sql } from 'kysely'
import { type Db, type Tx, unquotedArray } from '../../platform/db.ts'
import type { AuditorState, DrawnIds, Snapshot } from './auditor-state.store.ts'
import { type ChangeList, memberPeriodKey } from './invariant.ts'

/** The keys of what has changed. */
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

/** Whether there are more tickets than `most` with an id above one. It reads no further, and none of their rows is sent. */
export async function hasMoreOrders(tx: Tx, above_order_id: number, most: number): Promise<boolean> {
  const { rows } = await sql<{ has_more: boolean }>`
    select exists (select from orders where order_id > ${above_order_id} order by order_id offset ${most}) as has_more`.execute(
    tx,
  )
  return rows[0]!.has_more
}

/** @returns undefined where more tickets, events or entries than `most` have changed */
export async function listChanges(
  tx: Tx,
  { snapshot, up_to_order_id, up_to_event_id, up_to_entry_id }: AuditorState & { snapshot: string },
  { next_xid }: Snapshot,
  most: number,
): Promise<Changes | undefined> {
  const isNewer = (row: string) => sql`is_newer(${sql.raw(row)}.xmin, ${snapshot}::pg_snapshot, ${sql.lit(next_xid)})`
  const keysOf = async (query: ReturnType<typeof sql<{ key: number }>>): Promise<number[]> =>
    (await query.execute(tx)).rows.map(({ key }) => key)
  // One list after the other: where everything is to be checked anyway, no further one is held in memory.
  const orders = await keysOf(sql`
    select order_id as key from orders o where order_id > ${up_to_order_id} and ${isNewer('o')} limit ${most + 1}`)
  if (orders.length > most) return undefined
  const ofEvents = await keysOf(sql`
    select order_id as key from order_events e where event_id > ${up_to_event_id} and ${isNewer('e')} limit ${most + 1}`)
  if (ofEvents.length > most) return undefined
  const { rows: entries } = await sql<{ entry_id: number; order_id: number | null }>`
    select entry_id, order_id from entries e
    where entry_id > ${up_to_entry_id} and ${isNewer('e')} limit ${most + 1}`.execute(tx)
  if (entries.length > most) return undefined
  const order = distinct([...orders, ...ofEvents, ...entries.flatMap(({ order_id }) => order_id ?? [])])
  const { rows: accounts } = await sql<{ user_id: number | null; period_id: number | null }>`
    select user_id, period_id from accounts a where ${isNewer('a')}`.execute(tx)
  const ofOrders = await keysOf(sql`
    select distinct ${memberPeriodKey} as key from orders where order_id = any(${unquotedArray(order)}::bigint[])`)
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
    entry: entries.map(({ entry_id }) => entry_id),
    user: distinct(accounts.flatMap(({ user_id }) => user_id ?? [])),
    member_period: distinct([...ofOrders, ...sums]),
    period,
    winner: await keysOf(sql`
      select distinct user_id as key from order_wins where period_id = any(${unquotedArray(period)}::int[])`),
  }
}

export function distinct(keys: readonly number[]): number[] {
  return [...new Set(keys)]
}
