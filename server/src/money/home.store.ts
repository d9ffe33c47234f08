// What an agent's first page reads besides the week sheet.

import type { MoneyHome } from '@megalot/contract'
import { sql } from 'kysely'
import { periodColumns, type PeriodRecord, toPeriod } from '../markets/index.ts'
import type { Db } from '../postgres/db.ts'

const CLOSING = 5
const NEW_MEMBERS = 5

/** The open periods that close next and hold bets of an owner's line, with those bets. */
export async function listClosing(db: Db, owner_id: number): Promise<MoneyHome['closing']> {
  const { rows } = await sql<PeriodRecord & { ticket_count: number; received_satang: number }>`
    with line as materialized (
      select user_id from users where upline_ids @> array[${owner_id}::bigint] and level = 'member'
    )
    select ${periodColumns}, ticket_count, received_satang from periods cross join lateral (
      select sum(ticket_count)::int as ticket_count, sum(received_satang)::bigint as received_satang
      from member_periods m join line using (user_id) where m.period_id + 0 = periods.period_id
    ) bets
    where outcome = 'pending' and close_at > clock_timestamp() and open_at <= clock_timestamp() and ticket_count > 0
    order by close_at limit ${sql.lit(CLOSING)}`.execute(db)
  return rows.map((row) => ({
    period: toPeriod(row),
    ticket_count: row.ticket_count,
    received_satang: row.received_satang,
  }))
}

/** An owner's children of the last seven days, newest first. */
export async function listNewMembers(db: Db, owner_id: number): Promise<MoneyHome['new_members']> {
  const { rows } = await sql<MoneyHome['new_members'][number] & { created_at: Date | string }>`
    select user_id, username, display_name, level, created_at from users
    where parent_id = ${owner_id} and created_at > clock_timestamp() - interval '7 days' and not is_office
    order by created_at desc limit ${sql.lit(NEW_MEMBERS)}`.execute(db)
  return rows.map((member) => ({ ...member, created_at: new Date(member.created_at).toISOString() }))
}

/** How many disputes of an owner's children wait for its answer. */
export async function countOpenDisputes(db: Db, owner_id: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from payment_disputes join payments using (payment_id)
    where answer is null and parent_id = ${owner_id}`.execute(db)
  return rows[0]!.count
}
