// What an agent sees first: what to collect, pay and pass up, and what comes next.

import type { MoneyHome } from '@megalot/contract'
import { sql } from 'kysely'
import type { Caller } from '../http/caller.ts'
import { addDays } from '../lib/bangkok.ts'
import { periodColumns, type PeriodRecord, toPeriod } from '../markets/index.ts'
import type { Db } from '../postgres/db.ts'
import { countWaitingClearings } from './clearings.store.ts'
import { findOwnerId, sumOwnPart } from './edges.store.ts'
import { getSheet } from './week-sheet.service.ts'

const CLOSING = 5
const NEW_MEMBERS = 5
const OVER_FIGURE = 10

/** The caller's money at a glance; for the office, the company's. */
export async function getHome(db: Db, caller: Caller): Promise<MoneyHome> {
  const owner_id = await findOwnerId(db, caller)
  const { data, top_level } = await getSheet(db, caller, {})
  const { week, sums } = top_level
  const { rows: closing } = await sql<PeriodRecord & { ticket_count: number; received_satang: number }>`
    with line as materialized (
      select user_id from users where upline_ids @> array[${owner_id}::bigint] and level = 'member'
    )
    select ${periodColumns}, ticket_count, received_satang from periods cross join lateral (
      select sum(ticket_count)::int as ticket_count, sum(received_satang)::bigint as received_satang
      from member_periods m join line using (user_id) where m.period_id + 0 = periods.period_id
    ) bets
    where outcome = 'pending' and close_at > clock_timestamp() and open_at <= clock_timestamp() and ticket_count > 0
    order by close_at limit ${sql.lit(CLOSING)}`.execute(db)
  const { rows: members } = await sql<MoneyHome['new_members'][number] & { created_at: Date | string }>`
    select user_id, username, display_name, level, created_at from users
    where parent_id = ${owner_id} and created_at > clock_timestamp() - interval '7 days' and not is_office
    order by created_at desc limit ${sql.lit(NEW_MEMBERS)}`.execute(db)
  const { rows: disputes } = await sql<{ count: number }>`
    select count(*)::int as count from payment_disputes join payments using (payment_id)
    where answer is null and parent_id = ${owner_id}`.execute(db)
  return {
    week,
    collect_satang: sums.collect_satang,
    collect_count: sums.collect_count,
    pay_satang: sums.pay_satang,
    pay_count: sums.pay_count,
    pass_up_satang: sums.pass_up_satang,
    own_week_satang: sums.own_satang,
    own_last_week_satang: await sumOwnPart(db, owner_id, addDays(week, -7)),
    closing: closing.map((row) => ({
      period: toPeriod(row),
      ticket_count: row.ticket_count,
      received_satang: row.received_satang,
    })),
    new_members: members.map((member) => ({ ...member, created_at: new Date(member.created_at).toISOString() })),
    over_figure: data
      .filter(({ is_over_figure }) => is_over_figure)
      .slice(0, OVER_FIGURE)
      .map(({ user_id, username, display_name, level, balance_satang }) => ({
        ...{ user_id, username, display_name, level },
        balance_satang,
      })),
    open_dispute_count: disputes[0]!.count,
    clearing_count: await countWaitingClearings(db, owner_id),
  }
}
