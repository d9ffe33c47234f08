// Invariants of money between people: results, purses, edges and payments. Full checks only: payments and settlement
// write each of these sums in one statement with its cause.

import { sql } from 'kysely'
import { among, type Invariant } from './invariant.ts'

export const moneyInvariants = {
  accounts_sum_to_zero: {
    name: { th: 'ผลรวมของทุกบัญชีเป็นศูนย์', en: 'all accounts together sum to 0' },
    unit: 'satang',
    by: 'user',
    onChange: null,
    // Found with the company.
    query: (keys) => sql`
      select user_id as key, user_id, total::bigint as stored, 0::bigint as computed
      from users cross join lateral (select sum(balance_satang) as total from accounts) sums
      where level = 'company' and not is_office and principal_id is null and ${among('user_id', keys)} and total <> 0`,
  },
  result_is_own_part: {
    name: {
      th: 'ผลกำไรของแต่ละระดับเท่าส่วนของตนในงวดที่จ่ายแล้วรวมกับรายการปรับยอด',
      en: "a level's result is its own part of settled periods, and its adjustments",
    },
    unit: 'satang',
    by: 'user',
    onChange: null,
    query: (keys) => sql`
      select user_id as key, user_id, balance_satang as stored, computed::bigint from accounts cross join lateral (
        select coalesce((select sum(own_part(l)) from level_periods l where l.user_id = accounts.user_id), 0)
          + coalesce((select sum(amount_satang) from payments where child_id = accounts.user_id and payments.kind = 'adjustment'), 0)
          - coalesce((select sum(amount_satang) from payments where parent_id = accounts.user_id and payments.kind = 'adjustment'), 0)
          as computed
      ) recounted
      where kind = 'result' and ${among('user_id', keys)} and balance_satang <> computed`,
  },
  purse_is_its_payments: {
    name: {
      th: 'เงินที่ผ่านมือเท่าผลรวมของรายการรับและจ่าย',
      en: 'a purse is what its owner has paid and received',
    },
    unit: 'satang',
    by: 'user',
    onChange: null,
    query: (keys) => sql`
      select user_id as key, user_id, balance_satang as stored, computed::bigint from accounts cross join lateral (
        select coalesce((select sum(amount_satang) from payments where child_id = accounts.user_id and payments.kind = 'payment'), 0)
          - coalesce((select sum(amount_satang) from payments where parent_id = accounts.user_id and payments.kind = 'payment'), 0)
          as computed
      ) recounted
      where kind = 'purse' and ${among('user_id', keys)} and balance_satang <> computed`,
  },
  edge_is_its_downline: {
    name: {
      th: 'ยอดค้างของแต่ละสายเท่ายอดรวมของทุกคนในสาย คืนยอดที่รอผล',
      en: 'what an edge owes is all that its downline has, with open stakes given back',
    },
    unit: 'satang',
    by: 'user',
    onChange: null,
    atOnce: 200,
    // A correction moves cash step by step, and the edge at its end.
    query: (keys) => sql`
      with downline as materialized (
        select user_id, upline_ids from users where ${
          keys === null ? sql`true` : sql`user_id = any(${keys}::bigint[]) or upline_ids && ${keys}::bigint[]`
        }
      ), worth as materialized (
        select user_id, sum(satang) as satang from (
          select user_id, balance_satang as satang from accounts join downline using (user_id)
          union all
          select user_id, received_satang - discount_satang - win_satang from member_periods join downline using (user_id)
            join periods using (period_id)
          where ticket_count > 0 and outcome in ('pending', 'settling', 'voiding')
          union all
          select orders.user_id, discount_satang - received_satang from orders join downline using (user_id)
          where status = 'WAIT_CONFIRM'
          union all
          select refunded.user_id, -net_satang from refunded_orders refunded join downline using (user_id)
            join periods using (period_id) where outcome = 'voiding'
        ) parts group by user_id
      ), computed as (
        select child_id, sum(satang) as computed from downline join worth using (user_id)
          cross join unnest(upline_ids || user_id) child_id group by child_id
      )
      select child_id as key, child_id as user_id, balance_satang as stored, coalesce(computed, 0)::bigint as computed
      from edges left join computed using (child_id)
      where ${among('child_id', keys)} and balance_satang <> coalesce(computed, 0)
        and not exists (select from periods join settlements using (period_id) where outcome = 'settling' and settlements.round > 0)`,
  },
  edge_days_are_counted: {
    name: {
      th: 'ยอดรายวันของแต่ละสายเท่ายอดจากงวดที่จ่ายแล้วและรายการรับจ่าย',
      en: 'the days of an edge are those of its settled periods and payments',
    },
    unit: 'satang',
    by: 'user',
    onChange: null,
    query: (keys) => sql`
      select child_id as key, child_id as user_id, coalesce(stored.played, 0)::bigint as stored, coalesce(counted.played, 0)::bigint as computed
      from (select child_id, day, played_satang as played, received_satang as received, paid_satang as paid, adjusted_satang as adjusted
          from edge_days where ${among('child_id', keys)}) stored
        full join (
          select child_id, day, sum(played_satang) as played, sum(received_satang) as received, sum(paid_satang) as paid,
            sum(adjusted_satang) as adjusted
          from counted_edge_days(${keys === null ? sql`null` : sql`${keys}::bigint[]`}) group by child_id, day
        ) counted using (child_id, day)
      where (coalesce(stored.played, 0), coalesce(stored.received, 0), coalesce(stored.paid, 0), coalesce(stored.adjusted, 0))
        <> (coalesce(counted.played, 0), coalesce(counted.received, 0), coalesce(counted.paid, 0), coalesce(counted.adjusted, 0))`,
  },
  payment_has_its_entry: {
    name: {
      th: 'รายการรับจ่ายทุกรายการมีรายการบัญชีหนึ่งรายการในยอดเดียวกัน',
      en: 'every payment has one entry of its amount',
    },
    unit: 'satang',
    by: 'user',
    onChange: null,
    query: (keys) => sql`
      select child_id as key, child_id as user_id, entry_id, payments.amount_satang as stored, entries.amount_satang as computed
      from payments left join entries on idempotency_key = 'payment:' || payment_id
        left join accounts taker on taker.account_id = to_account_id
      where ${among('child_id', keys)}
        and (abs(payments.amount_satang), case when payments.amount_satang > 0 then child_id else parent_id end)
          is distinct from (entries.amount_satang, taker.user_id)`,
  },
} as const satisfies Record<string, Invariant>
