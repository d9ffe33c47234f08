// Who holds cash, and what it has collected and not passed on, by day. Holders are the principal and its assistants; for
// the office, its users.

import type { CashDay } from '@megalot/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Caller, Scope } from '../http/caller.ts'
import { type Db, unquotedArray } from '../postgres/db.ts'

export interface Holder {
  user_id: number
  username: string
  display_name: string
  is_principal: boolean
}

/** Whose cash a caller reaches: a principal its own and its collectors', an assistant its own. */
export async function listHolders(db: Db, caller: Scope & Pick<Caller, 'actor_id'>): Promise<Holder[]> {
  const isAssistant = caller.actor_id !== caller.principal_id
  const isOf = caller.is_office
    ? sql`is_office`
    : isAssistant
      ? sql`user_id = ${caller.actor_id}`
      : sql`user_id = ${caller.principal_id} or principal_id = ${caller.principal_id}`
  const { rows } = await sql<Holder>`
    select user_id, username, display_name, principal_id is null as is_principal from users where ${isOf}
    order by principal_id is not null, username`.execute(db)
  return rows
}

/**
 * The moves of cash of holders up to a day, as `moves (holder_id, day, kind, satang)`; satang above 0 raises the cash.
 * Payments between the owner and its parent are the principal's.
 */
const movesOf = (holder_ids: readonly number[], owner_id: number, day: string): RawBuilder<unknown> => {
  const ids = sql`any(${unquotedArray(holder_ids)}::bigint[])`
  const until = sql`day <= ${day}::date`
  return sql`(
    select holder_id, day, case when (amount_satang > 0) = (reverses_id is null) then 'received' else 'paid' end as kind,
      method, amount_satang as satang from payments
    where holder_id = ${ids} and ${until} and kind = 'payment' and parent_id = ${owner_id}
    union all
    select child_id, day, 'passed_up', method, -amount_satang from payments
    where child_id = ${owner_id} and child_id = ${ids} and ${until} and kind = 'payment'
    union all
    select from_id, day, 'handed', 'cash', -amount_satang from cash_handovers where from_id = ${ids} and ${until}
    union all
    select to_id, day, 'handed', 'cash', amount_satang from cash_handovers where to_id = ${ids} and ${until}
    union all
    select holder_id, day, 'counted', 'cash', counted_satang - expected_satang from cash_counts where holder_id = ${ids} and ${until}
  )`
}

export type DayRecord = Omit<CashDay, 'holder' | 'counted'> & { holder_id: number }

const sum = (condition: RawBuilder<unknown>, sign: 1 | -1 = 1) =>
  sql`coalesce(${sql.lit(sign)} * sum(satang) filter (where ${condition}), 0)::bigint`

export async function readDays(
  db: Db,
  holder_ids: readonly number[],
  owner_id: number,
  day: string,
): Promise<Map<number, DayRecord>> {
  const onDay = (kind: string) => sql`day = ${day}::date and kind = ${sql.lit(kind)} and method = 'cash'`
  const isTransfer = sql`day = ${day}::date and method = 'transfer' and kind <> 'counted'`
  const { rows } = await sql<DayRecord>`
    select holder_id, ${sum(sql`day < ${day}::date and method = 'cash'`)} as forward_satang,
      ${sum(onDay('received'))} as received_satang, count(*) filter (where ${onDay('received')} and satang > 0)::int as received_count,
      ${sum(onDay('paid'), -1)} as paid_satang, count(*) filter (where ${onDay('paid')} and satang < 0)::int as paid_count,
      ${sum(onDay('passed_up'), -1)} as passed_up_satang, ${sum(onDay('handed'))} as handed_in_satang,
      ${sum(onDay('counted'))} as difference_satang, ${sum(sql`method = 'cash'`)} as on_hand_satang,
      ${sum(sql`${isTransfer} and satang > 0`)} as transferred_in_satang,
      ${sum(sql`${isTransfer} and satang < 0`, -1)} as transferred_out_satang
    from ${movesOf(holder_ids, owner_id, day)} moves group by holder_id`.execute(db)
  return new Map(rows.map((row) => [row.holder_id, row]))
}

interface CountRecord {
  holder_id: number
  expected_satang: number
  counted_satang: number
  note: string | null
  counted_at: Date
}

export async function readCounts(
  db: Db,
  holder_ids: readonly number[],
  day: string,
): Promise<Map<number, CountRecord>> {
  const { rows } = await sql<CountRecord>`
    select distinct on (holder_id) holder_id, expected_satang, counted_satang, note, counted_at from cash_counts
    where holder_id = any(${unquotedArray(holder_ids)}::bigint[]) and day = ${day}::date
    order by holder_id, count_id desc`.execute(db)
  return new Map(rows.map((row) => [row.holder_id, row]))
}
