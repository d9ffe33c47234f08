import type { DrawResult } from '@megalot/rules'
import { sql } from 'kysely'
import type { Db, Tx } from '../../platform/db.ts'
import { type PeriodRecord, periodColumns } from '../markets/markets.service.ts'

export interface CorrectionRecord {
  correction_id: number
  round: number
  state: 'entered' | 'locked' | 'agreed'
  new_result: DrawResult
  entered_by: number
}

/** The correction of a period that is not settled yet. */
export async function findOpenCorrection(tx: Tx, period_id: number): Promise<CorrectionRecord | undefined> {
  const { rows } = await sql<CorrectionRecord>`
    select correction_id, round, state, new_result, entered_by from award_corrections
    where period_id = ${period_id} and state <> 'settled'`.execute(tx)
  return rows[0]
}

export async function countCorrections(tx: Tx, period_id: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from award_corrections where period_id = ${period_id}`.execute(tx)
  return rows[0]!.count
}

export interface NewCorrection {
  period_id: number
  round: number
  old_result: DrawResult
  new_result: DrawResult
  reason: string
  entered_by: number
}

export async function insertCorrection(tx: Tx, correction: NewCorrection): Promise<void> {
  const { period_id, round, old_result, new_result, reason, entered_by } = correction
  await sql`
    insert into award_corrections (period_id, round, old_result, new_result, reason, entered_by)
    values (${period_id}, ${round}, ${JSON.stringify(old_result)}::jsonb, ${JSON.stringify(new_result)}::jsonb, ${reason},
      ${entered_by})`.execute(tx)
}

export async function repeatCorrection(
  tx: Tx,
  correction_id: number,
  state: 'agreed' | 'locked',
  repeated_by: number,
): Promise<void> {
  await sql`
    update award_corrections set state = ${state}, repeated_by = ${repeated_by}, repeated_at = clock_timestamp()
    where correction_id = ${correction_id}`.execute(tx)
}

export async function removeCorrection(tx: Tx, correction_id: number): Promise<void> {
  await sql`delete from award_corrections where correction_id = ${correction_id}`.execute(tx)
}

export interface ToldCorrection extends PeriodRecord {
  correction_id: number
  old_result: DrawResult
  new_result: DrawResult
  settled_at: Date
  is_read: boolean
  old_win_satang: number
  new_win_satang: number
}

/** Settled corrections of periods in which a member has tickets, newest first. */
export async function listCorrectionsOf(
  db: Db,
  user_id: number,
  limit: number,
  offset: number,
): Promise<ToldCorrection[]> {
  const { rows } = await sql<ToldCorrection>`
    select ${periodColumns}, c.correction_id, c.old_result, c.new_result, c.settled_at,
      coalesce(c.settled_at <= (select up_to_at from notice_reads where user_id = ${user_id}), false) as is_read,
      wins.old_win_satang, wins.new_win_satang
    from award_corrections c join periods using (period_id)
      join member_periods own on own.user_id = ${user_id} and own.period_id = c.period_id and own.ticket_count > 0
      cross join lateral (
        select coalesce(sum(win_satang) filter (where round < c.round), 0)::bigint as old_win_satang,
          coalesce(sum(win_satang), 0)::bigint as new_win_satang
        from order_wins w where w.period_id = c.period_id and w.user_id = ${user_id} and w.round <= c.round
      ) wins
    where c.state = 'settled'
    order by c.settled_at desc limit ${limit} offset ${offset}`.execute(db)
  return rows
}

export async function countUnread(db: Db, user_id: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from award_corrections c
      join member_periods own on own.user_id = ${user_id} and own.period_id = c.period_id and own.ticket_count > 0
    where c.state = 'settled'
      and c.settled_at > coalesce((select up_to_at from notice_reads where user_id = ${user_id}), '-infinity')`.execute(
    db,
  )
  return rows[0]!.count
}

export async function noteRead(db: Db, user_id: number, correction_id: number): Promise<void> {
  await sql`
    insert into notice_reads as kept (user_id, up_to_at)
    select ${user_id}, settled_at from award_corrections where correction_id = ${correction_id} and state = 'settled'
    on conflict (user_id) do update set up_to_at = greatest(kept.up_to_at, excluded.up_to_at)`.execute(db)
}
