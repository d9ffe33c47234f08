// The invariants of money, each as a query that must find nothing.

import { sql } from 'kysely'
import type { Db } from '../src/platform/db.ts'

const invariants = {
  'postings of every entry sum to 0': sql`
    select entry_id from postings group by entry_id having sum(amount_satang) <> 0`,
  'every entry has two postings or more': sql`
    select entry_id from entries left join postings using (entry_id) group by entry_id having count(amount_satang) < 2`,
  'a balance is the sum of its postings': sql`
    select account_id from accounts left join postings using (account_id)
    group by account_id, balance_satang having balance_satang <> coalesce(sum(amount_satang), 0)`,
  'no balance is below its floor': sql`select account_id from accounts where balance_satang < floor_satang`,
  'a live ticket is paid by one entry of its net': sql`
    select order_id from orders left join entries using (order_id) left join postings using (entry_id)
      left join accounts using (account_id)
    where orders.status = 'CONFIRMED' and orders.received_satang > orders.discount_satang
      and entries.kind = 'bet' and accounts.kind = 'cash'
    group by order_id, received_satang, discount_satang
    having count(*) <> 1 or sum(amount_satang) <> discount_satang - received_satang`,
  'a ticket with a net has its entry': sql`
    select order_id from orders where received_satang > discount_satang
      and not exists (select from entries where entries.order_id = orders.order_id and kind = 'bet')`,
  'totals of a ticket are the sums of its items': sql`
    select order_id from orders join order_items items using (order_id)
    group by order_id
    having orders.item_count <> count(*) or orders.bet_satang <> sum(items.bet_satang)
      or orders.received_satang <> sum(items.received_satang) or orders.discount_satang <> sum(items.discount_satang)
      or orders.win_satang <> sum(items.win_satang)`,
  'a win is paid once, in full': sql`
    select order_id from orders left join (
      select order_id, sum(amount_satang) as paid from entries join postings using (entry_id)
        join accounts using (account_id) where entries.kind = 'win' and accounts.kind = 'cash' group by order_id
    ) wins using (order_id) where orders.win_satang <> coalesce(paid, 0)`,
  'nothing is accepted at or after the close': sql`
    select order_id from orders join periods using (period_id) where placed_at >= close_at or created_at < open_at`,
} as const

/** Names of the invariants that do not hold, with the first ids that break them; empty when all is well. */
export async function findBrokenInvariants(db: Db): Promise<Record<string, unknown[]>> {
  const broken: Record<string, unknown[]> = {}
  for (const [name, query] of Object.entries(invariants)) {
    const { rows } = await query.execute(db)
    if (rows.length > 0) broken[name] = rows.slice(0, 5)
  }
  return broken
}
