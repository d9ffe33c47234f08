import type { DrawResult } from '@megalot/rules'
import { sql } from 'kysely'
import { takeLock } from '../../postgres/advisory-locks.ts'
import type { Db, Tx } from '../../postgres/db.ts'
import { periodColumns, type PeriodRecord } from '../../markets/index.ts'

export interface NewNotice {
  kind: 'award_corrected' | 'period_voided' | 'period_postponed'
  period_id: number
  correction_id: number | null
}

/**
 * Must be the last step of its transaction: a later notice must be committed after it, because a member reads all
 * notices up to one.
 */
export async function insertNotice(tx: Tx, notice: NewNotice): Promise<void> {
  await sql`select ${takeLock('notices')}`.execute(tx)
  await tx.insertInto('notices').values(notice).execute()
}

export interface NoticeRecord extends PeriodRecord {
  notice_id: number
  kind: 'award_corrected' | 'period_voided' | 'period_postponed'
  at: Date
  is_read: boolean
  /** For a correction. */
  old_result: DrawResult | null
  new_result: DrawResult | null
  is_demo: boolean
  old_win_satang: number
  new_win_satang: number
  /** For a void: the office's reason, and the member's refund. */
  void_reason: string | null
  ticket_count: number
  refund_satang: number
}

/** Notices of periods in which a member has live tickets, newest first. */
export async function listNoticeRecords(
  db: Db,
  user_id: number,
  limit: number,
  offset: number,
): Promise<NoticeRecord[]> {
  const { rows } = await sql<NoticeRecord>`
    select ${periodColumns}, notice_id, notices.kind, at, old_result, new_result, coalesce(awards.is_demo, false) as is_demo, approvals.reason as void_reason,
      coalesce(at <= (select up_to_at from notice_reads where user_id = ${user_id}), false) as is_read,
      own.ticket_count, own.received_satang - own.discount_satang as refund_satang,
      wins.old_win_satang, wins.new_win_satang
    from notices join periods using (period_id)
      join member_periods own on own.user_id = ${user_id} and own.period_id = periods.period_id and own.ticket_count > 0
      left join award_corrections c using (correction_id)
      left join awards on awards.period_id = periods.period_id
      left join (period_voids voids join approvals using (approval_id))
        on notices.kind = 'period_voided' and voids.period_id = periods.period_id
      cross join lateral (
        select coalesce(sum(win_satang) filter (where round < c.round), 0)::bigint as old_win_satang,
          coalesce(sum(win_satang), 0)::bigint as new_win_satang
        from order_wins w where w.period_id = c.period_id and w.user_id = ${user_id} and w.round <= c.round
      ) wins
    order by at desc, notice_id desc limit ${limit} offset ${offset}`.execute(db)
  return rows
}

export async function countUnread(db: Db, user_id: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from notices
      join member_periods own on own.user_id = ${user_id} and own.period_id = notices.period_id and own.ticket_count > 0
    where at > coalesce((select up_to_at from notice_reads where user_id = ${user_id}), '-infinity')`.execute(db)
  return rows[0]!.count
}

/** Undefined if the notice does not exist. */
export async function saveRead(db: Db, user_id: number, notice_id: number): Promise<void> {
  await sql`
    insert into notice_reads as stored (user_id, up_to_at)
    select ${user_id}, at from notices where notice_id = ${notice_id}
    on conflict (user_id) do update set up_to_at = greatest(stored.up_to_at, excluded.up_to_at)`.execute(db)
}

/** As `saveRead`, up to an instant; never beyond the current one. */
export async function saveReadUpTo(db: Db, user_id: number, at_us: number): Promise<void> {
  await sql`
    insert into notice_reads as stored (user_id, up_to_at)
    values (${user_id}, least(timestamptz 'epoch' + ${at_us}::bigint * interval '1 microsecond', clock_timestamp()))
    on conflict (user_id) do update set up_to_at = greatest(stored.up_to_at, excluded.up_to_at)`.execute(db)
}

/** In microseconds since 1970; 0 if the user has read nothing. */
export async function findReadUpTo(db: Db, user_id: number): Promise<number> {
  const { rows } = await sql<{ at_us: number }>`
    select (extract(epoch from up_to_at) * 1000000)::bigint as at_us from notice_reads where user_id = ${user_id}`.execute(
    db,
  )
  return rows[0]?.at_us ?? 0
}
