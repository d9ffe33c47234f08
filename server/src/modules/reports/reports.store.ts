import type { EntryKind } from '@megalot/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'

export interface TransactionRecord {
  entry_id: number
  at: Date
  kind: EntryKind
  order_id: number | null
  amount_satang: number
  balance_satang: number
}

/**
 * A user's entries with the balance (cash and held together) after each, newest first. The balance runs backwards from
 * the one that stands now, in one snapshot with it.
 */
export async function listTransactions(
  db: Db,
  user_id: number,
  limit: number,
  offset: number,
): Promise<TransactionRecord[]> {
  const { rows } = await sql<TransactionRecord>`
    with own as (select account_id, balance_satang from accounts where user_id = ${user_id}),
    sides as (
      select entry_id, -amount_satang as amount_satang from entries
      where from_account_id = any(array(select account_id from own))
      union all
      select entry_id, amount_satang from entries where to_account_id = any(array(select account_id from own))
    ),
    moved as (select entry_id, sum(amount_satang)::bigint as amount_satang from sides group by entry_id),
    running as (
      select entry_id, amount_satang, (select sum(balance_satang) from own)
        - coalesce(sum(amount_satang) over (order by entry_id desc rows between unbounded preceding and 1 preceding), 0)
        as balance_satang
      from moved
    )
    select entry_id, entries.at, entries.kind, entries.order_id, running.amount_satang, balance_satang::bigint
    from running join entries using (entry_id)
    order by entry_id desc limit ${limit} offset ${offset}`.execute(db)
  return rows
}
