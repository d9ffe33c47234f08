import type { PlayLimitKind, PlaySpan } from '@megalot/contract'
import { sql } from 'kysely'
import type { Db, Tx } from '../../postgres/db.ts'

export interface PlayLimitRecord {
  user_id: number
  kind: PlayLimitKind
  span: PlaySpan
  /** In force now. */
  amount_satang: number | null
  /** Requested, and not in force yet. */
  next_amount_satang: number | null
  next_at: Date | null
}

export interface ViolationRecord {
  user_id: number
  kind: 'time_out' | 'self_exclusion'
  until_at: Date
}

/** Current limits by the database's clock. */
export async function listLimits(db: Db, user_ids: readonly number[]): Promise<PlayLimitRecord[]> {
  const { rows } = await sql<PlayLimitRecord>`
    select user_id, kind, span,
      case when next_at <= clock_timestamp() then next_amount_satang else amount_satang end as amount_satang,
      case when next_at <= clock_timestamp() then null else next_amount_satang end as next_amount_satang,
      case when next_at <= clock_timestamp() then null else next_at end as next_at
    from play_limits where user_id = any(${user_ids}::bigint[])`.execute(db)
  return rows
}

/** Breaks that are not over. */
export async function listViolations(db: Db, user_ids: readonly number[]): Promise<ViolationRecord[]> {
  const { rows } = await sql<ViolationRecord>`
    select user_id, kind, until_at from play_breaks
    where user_id = any(${user_ids}::bigint[]) and until_at > clock_timestamp()`.execute(db)
  return rows
}

/** A member's stakes (net, less refunds) and losses (less wins) on a day in Bangkok. */
export interface DayUse {
  /** YYYY-MM-DD. */
  day: string
  stake_satang: number
  loss_satang: number
}

/** The first days of the current spans in Bangkok, by the database's clock. */
export type SpanBegins = Record<PlaySpan, string>

/** What was read of a member's cash account, in one snapshot. */
export interface UseRead {
  user_id: number
  begins: SpanBegins
  balance_satang: number
  /** The sum of all entries read, of any kind. */
  moved_satang: number
  /** The account's last entry; 0 if there is none. */
  last_entry_id: number
  days: DayUse[]
}

/**
 * Members' stakes and losses by the ledger. A waiting ticket's stake counts from the moment it is held. A refund counts
 * on the day of its stake, so that refunding yesterday's ticket makes no room today.
 * Each side is read separately, with conditions on its own columns: as a join condition, `entry_id` does not bound the
 * index, and entries of all years are read.
 * @param members `after_id`: reads only newer entries; null: all of the current spans
 */
export async function sumUse(
  db: Db,
  members: readonly { user_id: number; after_id: number | null }[],
): Promise<UseRead[]> {
  const user_ids = members.map(({ user_id }) => user_id)
  const after_ids = members.map(({ after_id }) => after_id)
  const { rows } = await sql<UseRead>`
    with begins as materialized (
      select span, date_trunc(span, clock_timestamp() at time zone 'Asia/Bangkok')::date as begin
      from unnest(array['day', 'week', 'month']) span
    ), own as materialized (
      select user_id, account_id, balance_satang, coalesce(given.after_id,
        (select max(entry_id) from entry_marks where day <= (select min(begin) from begins)), 0) as after_id
      from unnest(${user_ids}::bigint[], ${after_ids}::bigint[]) given (user_id, after_id) join accounts using (user_id)
      where kind = 'cash'
    ), sides as materialized (
      select own.user_id, side.* from own cross join lateral (
        select entry_id, order_id, at, kind, -amount_satang as amount_satang from entries
          where from_account_id = own.account_id and entry_id > own.after_id
        union all
        select entry_id, order_id, at, kind, amount_satang from entries
          where to_account_id = own.account_id and kind <> 'bet' and entry_id > own.after_id
      ) side
    ), moves as (
      select user_id, kind, amount_satang, (case when kind in ('refund', 'bet_release')
        then coalesce((select placed_at from orders where orders.order_id = sides.order_id), at) else at end
        at time zone 'Asia/Bangkok')::date as day
      from sides where kind in ('bet', 'bet_hold', 'bet_release', 'refund', 'win', 'reversal')
        and at >= (select min(begin) from begins)::timestamp at time zone 'Asia/Bangkok'
    ), days as (
      select user_id, day, coalesce(-sum(amount_satang) filter (where kind not in ('win', 'reversal')), 0) as stake_satang,
        -sum(amount_satang) as loss_satang
      from moves where day >= (select min(begin) from begins) group by user_id, day
    )
    select user_id, balance_satang, (select json_object_agg(span, begin) from begins) as begins,
      (select coalesce(sum(amount_satang), 0)::bigint from sides where sides.user_id = own.user_id) as moved_satang,
      greatest(after_id, (select max(entry_id) from sides where sides.user_id = own.user_id)) as last_entry_id,
      (select coalesce(json_agg(json_build_object('day', day, 'stake_satang', stake_satang, 'loss_satang', loss_satang)), '[]')
        from days where days.user_id = own.user_id) as days
    from own`.execute(db)
  return rows
}

export async function saveLimit(tx: Tx, { user_id, kind, span, ...values }: PlayLimitRecord): Promise<void> {
  await tx
    .insertInto('play_limits')
    .values({ user_id, kind, span, ...values })
    .onConflict((on) => on.columns(['user_id', 'kind', 'span']).doUpdateSet(values))
    .execute()
}

/**
 * Starts a break, or extends the current one.
 * @returns its end
 */
export async function lengthenBreak(
  tx: Tx,
  user_id: number,
  kind: ViolationRecord['kind'],
  days: number,
): Promise<Date> {
  const { rows } = await sql<{ until_at: Date }>`
    insert into play_breaks as present (user_id, kind, until_at)
    values (${user_id}, ${kind}, clock_timestamp() + ${days} * interval '1 day')
    on conflict (user_id) do update set
      kind = case when excluded.until_at > present.until_at then excluded.kind else present.kind end,
      until_at = greatest(present.until_at, excluded.until_at)
    returning until_at`.execute(tx)
  return rows[0]!.until_at
}

export async function markUser(tx: Tx, user_id: number): Promise<void> {
  await tx.updateTable('users').set({ has_play_limits: true }).where('user_id', '=', user_id).execute()
}

/** The instant a day from now by the database's clock. */
export async function readTomorrow(tx: Tx): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`select clock_timestamp() + interval '24 hours' as at`.execute(tx)
  return rows[0]!.at
}

/** Records the last ledger entry for the next day in Bangkok. */
export async function saveEntryCheckpoint(db: Db): Promise<void> {
  await sql`select mark_entries()`.execute(db)
}
