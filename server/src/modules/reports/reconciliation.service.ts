// Reconciliation of the reports: rollups = tickets = items = ledger, each comparison as a query that must return no
// rows.

import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'

export const reconciliations = {
  'a ticket has cost its member its net while it lives, and nothing when it ended': sql`
    select order_id from orders left join (
      select order_id, sum(postings.amount_satang) as moved from entries join postings using (entry_id) join accounts using (account_id)
      where entries.kind not in ('win', 'reversal') and accounts.kind = 'cash' group by order_id
    ) cash using (order_id)
      left join refunded_orders refunded using (order_id)
    where coalesce(moved, 0) <> case when status in ('CONFIRMED', 'WAIT_CONFIRM') and refunded.order_id is null
      then discount_satang - received_satang else 0 end`,
  'totals of a ticket are the sums of its items': sql`
    select order_id from orders join order_items items using (order_id)
    group by order_id
    having orders.item_count <> count(*) or orders.bet_satang <> sum(items.bet_satang)
      or orders.received_satang <> sum(items.received_satang) or orders.discount_satang <> sum(items.discount_satang)
      or orders.win_satang <> sum(items.win_satang)`,
  'a win is paid once, in full': sql`
    select order_id from orders left join (
      select order_id, sum(postings.amount_satang) as paid from entries join postings using (entry_id)
        join accounts using (account_id) where entries.kind in ('win', 'reversal') and accounts.kind = 'cash' group by order_id
    ) wins using (order_id) where orders.win_satang <> coalesce(paid, 0)`,
  'what a member has in a period is the sum of its live tickets': sql`
    select user_id, period_id from member_periods full join (
      select user_id, period_id, count(*) as tickets, sum(bet_satang) as bet, sum(received_satang) as received,
        sum(discount_satang) as discount, sum(win_satang) as win
      from orders where status in ('CONFIRMED', 'WAIT_CONFIRM') group by user_id, period_id
    ) live using (user_id, period_id)
    where (coalesce(ticket_count, 0), coalesce(bet_satang, 0), coalesce(received_satang, 0), coalesce(discount_satang, 0),
      coalesce(win_satang, 0)) <> (coalesce(tickets, 0), coalesce(bet, 0), coalesce(received, 0), coalesce(discount, 0),
      coalesce(win, 0))`,
  'a period has the net of its confirmed tickets less their wins': sql`
    select period_id from accounts left join (
      select orders.period_id, sum(received_satang - discount_satang - win_satang - coalesce(net_satang, 0)) as stored
      from orders left join refunded_orders using (order_id)
      where status = 'CONFIRMED' group by orders.period_id
    ) tickets using (period_id)
    where kind = 'period' and balance_satang <> coalesce(stored, 0)`,
  'a voided period has refunded what it says, and nothing else': sql`
    select period_id from period_voids left join (
      select period_id, count(*) as orders, sum(net_satang) as satang from refunded_orders group by period_id
    ) tickets using (period_id) left join (
      select period_id, sum(amount_satang) as refunded from entries join orders using (order_id)
      where kind = 'refund' and status = 'CONFIRMED' group by period_id
    ) ledger using (period_id) join periods using (period_id)
    where refunded_orders <> coalesce(orders, 0) or refunded_satang <> coalesce(satang, 0)
      or refunded_satang <> coalesce(refunded, 0) or (finished_at is not null) <> (outcome = 'void')
      or (outcome = 'void' and exists (
        select 1 from orders o where o.period_id = period_voids.period_id
          and (o.status = 'WAIT_CONFIRM' or (o.status = 'CONFIRMED' and order_id > refunded_up_to_order_id))))`,
  'what a member lost and won in tickets is what its tickets moved on its cash': sql`
    select user_id from accounts join (
      select user_id, sum(win_satang + discount_satang - received_satang)
        + coalesce((select sum(net_satang) from refunded_orders r where r.user_id = member_periods.user_id), 0) as total
      from member_periods group by user_id
    ) stored using (user_id) left join (
      select account_id, sum(postings.amount_satang) as moved from entries join postings using (entry_id)
      where kind in ('bet_hold', 'bet', 'bet_release', 'refund', 'win', 'reversal') group by account_id
    ) ledger using (account_id)
    where kind = 'cash' and total <> coalesce(moved, 0)`,
  'what won in a settled period is the sum of its winning items': sql`
    select user_id, period_id from member_wins stored full join (
      select items.user_id, items.period_id, count(*) as items, sum(items.bet_satang) as bet,
        sum(items.received_satang) as received, sum(items.discount_satang) as discount,
        count(distinct items.order_id) as tickets, sum(items.win_satang) as win
      from (select distinct order_id from order_wins) won cross join lateral (
          select * from order_items where order_items.order_id = won.order_id offset 0) items
        join periods using (period_id)
      where items.win_satang > 0 and outcome = 'settled' group by items.user_id, items.period_id
    ) found using (user_id, period_id) join periods using (period_id)
    where outcome = 'settled' and (item_count, item_bet_satang, item_received_satang, item_discount_satang,
      item_ticket_count, win_satang) is distinct from (items, bet, received, discount, tickets, win)`,
  'what levels have of a settled period follows from its members': sql`
    with computed as materialized (
      select levels.* from (select distinct period_id from member_periods where ticket_count > 0) bet
        join periods using (period_id) cross join lateral compute_level_periods(period_id) levels
      where outcome = 'settled'
    ), stored as materialized (
      select level_periods.* from level_periods join periods using (period_id) where outcome = 'settled'
    )
    select user_id, period_id from (
      (table computed except table stored) union all (table stored except table computed)) different`,
  'nothing is lost between members and levels': sql`
    select period_id from level_periods stored join users using (user_id) join periods using (period_id)
      cross join lateral (
        select sum(ticket_count) as tickets, sum(received_satang) as received, sum(discount_satang) as discount,
          sum(win_satang) as win from member_periods m where m.period_id + 0 = stored.period_id) members
    where level = 'company' and outcome = 'settled'
      and (ticket_count, received_satang, discount_satang, win_satang, passed_received_satang)
        <> (tickets, received, discount, win, 0)`,
  'a number has won as often as its items': sql`
    select user_id, product_code, slot from member_numbers stored full join (
      select user_id, product_code, slot, sum(sign) as times, sum(win_satang) as win
      from order_wins w join periods using (period_id) left join settlements s using (period_id)
      where outcome = 'settled' or w.round < s.round group by user_id, product_code, slot
    ) found using (user_id, product_code, slot)
    where (win_count, win_satang) is distinct from (times, win)`,
  'a noted balance is the sum of the entries until then': sql`
    select user_id, entry_id from balance_marks left join (
      select user_id, entry_id, sum(sum(amount_satang)) over (partition by user_id order by entry_id) as balance
      from accounts join postings using (account_id)
      where user_id in (select user_id from balance_marks) group by user_id, entry_id
    ) ledger using (user_id, entry_id)
    where balance_satang is distinct from balance`,
} as const

/** The failed comparisons, with the first ids that differ; empty when every report is right. It reads all data. */
export async function reconcileSums(db: Db): Promise<Record<string, unknown[]>> {
  const broken: Record<string, unknown[]> = {}
  for (const [name, query] of Object.entries(reconciliations)) {
    const { rows } = await query.execute(db)
    if (rows.length > 0) broken[name] = rows.slice(0, 5)
  }
  return broken
}

/** Recomputes all rollups from the tickets. Tickets wait meanwhile. */
export async function rebuildSums(db: Db): Promise<void> {
  await sql`select rebuild_rollups()`.execute(db)
}
