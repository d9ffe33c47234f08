// The invariants of money, each as a query that must return no rows.

import { sql } from 'kysely'
import { reconciliations } from '../src/modules/reports/index.ts'
import type { Db } from '../src/platform/db.ts'

const invariants = {
  ...reconciliations,
  'a balance is the sum of its postings': sql`
    select account_id from accounts left join postings using (account_id)
    group by account_id, balance_satang having balance_satang <> coalesce(sum(amount_satang), 0)`,
  'no balance is below its floor': sql`select account_id from accounts where balance_satang + overdraft_satang < floor_satang`,
  'held is the net of waiting tickets': sql`
    select user_id from accounts left join (
      select user_id, sum(received_satang - discount_satang) as waiting from orders where status = 'WAIT_CONFIRM' group by user_id
    ) tickets using (user_id)
    where kind = 'held' and balance_satang <> coalesce(waiting, 0)`,
  'accepted is the sum received of live items': sql`
    select period_id, bet_type, quota_key from number_quotas full join (
      select items.period_id, bet_type,
        case when bet_type in ('3roll', '2roll')
          then (select string_agg(digit, '' order by digit) from regexp_split_to_table(number, '') digit) else number end as quota_key,
        sum(items.received_satang) as received
      from order_items items join orders using (order_id) where status in ('CONFIRMED', 'WAIT_CONFIRM') group by 1, 2, 3
    ) live using (period_id, bet_type, quota_key)
    where coalesce(accepted_satang, 0) <> coalesce(received, 0)`,
  'no quota is oversold': sql`
    select period_id, bet_type, quota_key from number_quotas join quotas_in_force using (period_id, bet_type) where accepted_satang > full_satang + half_satang`,
  'the status in force is the strictest of all uplines': sql`
    select user_id from users where status_in_force <> (
      select case max(case x.own_status when 'SUSPENDED' then 2 when 'DISABLED_BET' then 1 else 0 end)
        when 2 then 'SUSPENDED' when 1 then 'DISABLED_BET' else 'NORMAL' end
      from users x where x.user_id = users.user_id or x.user_id = any(users.upline_ids))`,
  'the size of each downline is that of the users below': sql`
    select upline.user_id from users upline left join downline_sizes size using (user_id)
    where upline.principal_id is null and not upline.is_office
      and (coalesce(member_count, 0), coalesce(agent_count, 0)) <> (
        select count(*) filter (where level = 'member'), count(*) filter (where level <> 'member') from users below
        where below.upline_ids @> array[upline.user_id] and not below.is_office)`,
  'a line is on a bet that there is, and differences are stored only where there are any': sql`
    select order_id from orders where not slots <@ (select array_agg(slot::smallint) from generate_series(0, 4319) slot)
      or (differences is not null and not exists (select 1 from unpack_lines(slots, lines, differences) line
        where received_satang <> bet_satang or rate_seen <> rate or is_half_pay))`,
  'the slot index of a period names each ticket under each of its bets': sql`
    select period_id, slot from (
      select period_id, slot, array_agg(distinct order_id order by order_id) as order_ids
      from slot_indexes join orders using (period_id) cross join lateral unnest(slots) slot group by period_id, slot
    ) counted full join period_slots indexed using (period_id, slot)
    where counted.order_ids is distinct from indexed.order_ids`,
  'nothing is accepted at or after the close': sql`
    select order_id from orders join periods using (period_id) where placed_at >= close_at or created_at < open_at`,
} as const

/** The violated invariants, with the first ids that break them; empty when all hold. */
export async function findBrokenInvariants(db: Db): Promise<Record<string, unknown[]>> {
  const broken: Record<string, unknown[]> = {}
  for (const [name, query] of Object.entries(invariants)) {
    const { rows } = await query.execute(db)
    if (rows.length > 0) broken[name] = rows.slice(0, 5)
  }
  return broken
}
