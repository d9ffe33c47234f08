import type { PlayLimitKind, PlaySpan } from '@megalot/contract'
import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db.ts'

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

export interface BreakRecord {
  user_id: number
  kind: 'time_out' | 'self_exclusion'
  until_at: Date
}

/** Limits as they are at this moment by the database's clock. */
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
export async function listBreaks(db: Db, user_ids: readonly number[]): Promise<BreakRecord[]> {
  const { rows } = await sql<BreakRecord>`
    select user_id, kind, until_at from play_breaks
    where user_id = any(${user_ids}::bigint[]) and until_at > clock_timestamp()`.execute(db)
  return rows
}

export interface UseRecord {
  user_id: number
  span: PlaySpan
  stake_satang: number
  loss_satang: number
}

/**
 * What members have staked (net, less refunds) and lost (less wins) in the present day, week and month of Bangkok, by
 * the ledger. A waiting ticket's stake counts from the moment it is held; a refund counts in the span of its stake, so
 * that a ticket of yesterday that is refunded today makes no room for more today.
 *
 * Each side compares `entry_id` itself, and with a single value: as a condition of the join it is no bound of the index, and the entries of
 * all years are read.
 */
export async function sumUse(db: Db, user_ids: readonly number[]): Promise<UseRecord[]> {
  const { rows } = await sql<UseRecord>`
    with begins as (
      select span, date_trunc(span, clock_timestamp() at time zone 'Asia/Bangkok') as begin
      from unnest(array['day', 'week', 'month']) span
    ), bounds as (
      select min(begin) at time zone 'Asia/Bangkok' as first_at,
        coalesce((select max(entry_id) from entry_marks where day <= (select min(begin) from begins)::date), 0) as after_id
      from begins
    ), own as (
      select account_id, user_id from accounts where kind = 'cash' and user_id = any(${user_ids}::bigint[])
    ), sides as (
      select own.user_id, e.order_id, e.at, e.kind, -e.amount_satang as amount_satang
      from own join entries e on e.from_account_id = own.account_id and e.entry_id > (select after_id from bounds)
      union all
      select own.user_id, e.order_id, e.at, e.kind, e.amount_satang
      from own join entries e
        on e.to_account_id = own.account_id and e.kind <> 'bet' and e.entry_id > (select after_id from bounds)
    ), moves as (
      select user_id, kind, amount_satang, case when kind in ('refund', 'bet_release')
        then coalesce((select placed_at from orders where orders.order_id = sides.order_id), at) else at end as at
      from sides
      where at >= (select first_at from bounds)
        and kind in ('bet', 'bet_hold', 'bet_release', 'refund', 'win', 'reversal')
    )
    select user_id, span,
      coalesce(-sum(amount_satang) filter (where kind not in ('win', 'reversal')), 0)::bigint as stake_satang,
      coalesce(-sum(amount_satang), 0)::bigint as loss_satang
    from moves join begins on at >= begin at time zone 'Asia/Bangkok'
    group by user_id, span`.execute(db)
  return rows
}

export async function saveLimit(tx: Tx, { user_id, kind, span, ...values }: PlayLimitRecord): Promise<void> {
  await tx
    .insertInto('play_limits')
    .values({ user_id, kind, span, ...values })
    .onConflict((on) => on.columns(['user_id', 'kind', 'span']).doUpdateSet(values))
    .execute()
}

/** Begins a break, or extends the present one. @returns its end */
export async function lengthenBreak(tx: Tx, user_id: number, kind: BreakRecord['kind'], days: number): Promise<Date> {
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

/** Records the last ledger entry for the day that begins next in Bangkok. */
export async function markEntries(db: Db): Promise<void> {
  await sql`
    insert into entry_marks (day, entry_id)
    select (clock_timestamp() at time zone 'Asia/Bangkok')::date + 1, last_value from entry_ids
    on conflict (day) do nothing`.execute(db)
}
