// Bulk writer of past tickets with all their effects: wins, ledger entries in time order, balances, quotas,
// settlements, and report rollups. Every ticket was accepted in full; some were taken back. It writes what the
// application's services would have written then; a test compares both. Used by the demo and by benchmarks.
// The caller fills the temporary tables of `stagingTables` and then runs `historySteps`, all in one transaction or
// session as the owner. Periods, awards and packages must exist; tickets of these periods must not.

import { betTypeCodes } from '@megalot/rules'

/**
 * - `seed_tickets`: `slots` and `lines` as in `orders`; `removed_*` of tickets that were cancelled or deleted.
 * - `seed_winning`: the winning slots of each settled period.
 * - `seed_settlements`: when each settled period was settled.
 * - `seed_payments`: between children and parents, in the child's favour; one of an edge and instant.
 */
export const stagingTables: readonly string[] = [
  `create temporary table seed_tickets (
    order_id bigint primary key, user_id bigint not null, period_id int not null, package_id int not null,
    status text not null, note text not null, placed_at timestamptz not null, removed_at timestamptz, removed_by bigint,
    reason text, slots smallint[] not null, lines bytea not null)`,
  `create temporary table seed_winning (period_id int not null, slot int not null)`,
  `create temporary table seed_settlements (period_id int primary key, started_at timestamptz not null,
    finished_at timestamptz not null)`,
  `create temporary table seed_payments (child_id bigint not null, amount_satang bigint not null,
    balance_after_satang bigint not null, method text not null, recorded_at timestamptz not null, recorded_by bigint not null)`,
]

/** Items of the tickets, and the winning ones. */
const lineSteps = [
  'analyze seed_tickets',
  'analyze seed_winning',
  'analyze seed_settlements',
  `create temporary table seed_lines as
    select order_id, user_id, period_id, package_id, status = 'CONFIRMED' as is_live, line_no, slot, bet_satang,
      discount_satang, rate
    from seed_tickets cross join lateral unpack_lines(slots, lines, null)`,
  'analyze seed_lines',
  // The win is rounded half up, once per line.
  `create temporary table seed_wins as
    select seed_lines.*, finished_at as at, (bet_satang * rate + 50) / 100 as win_satang
    from seed_lines join seed_winning using (period_id, slot) join seed_settlements using (period_id)
    where is_live and bet_satang * rate >= 50`,
  'analyze seed_wins',
]

const ticketSteps = [
  `insert into orders (order_id, request_id, content_hash, user_id, period_id, package_id, status, note, item_count,
      bet_satang, received_satang, discount_satang, win_satang, created_at, placed_at, cancelled_by, slots, lines)
    select order_id, gen_random_uuid(), substring(sha256(order_id::text::bytea) for 16), user_id, period_id, package_id,
      status, note, cardinality(slots), bet_satang, bet_satang, discount_satang, coalesce(win_satang, 0), placed_at,
      placed_at, removed_by, slots, lines
    from seed_tickets
      join (select order_id, sum(bet_satang) as bet_satang, sum(discount_satang) as discount_satang from seed_lines
        group by order_id) staked using (order_id)
      left join (select order_id, sum(win_satang) as win_satang from seed_wins group by order_id) won using (order_id)
    order by order_id`,
  `insert into order_events (order_id, at, event, from_status, to_status, actor_id, reason, details)
    select order_id, removed_at, case status when 'CANCELLED' then 'cancel' else 'delete' end, 'CONFIRMED', status, removed_by,
      reason, jsonb_build_object('released', (
        select jsonb_agg(jsonb_build_object('line_no', line_no, 'received_satang', received_satang) order by line_no)
        from unpack_lines(slots, lines, null)))
    from seed_tickets where status <> 'CONFIRMED' order by removed_at, order_id`,
  `insert into order_wins (order_id, line_no, period_id, user_id, slot, bet_satang, received_satang, discount_satang, rate,
      win_satang)
    select order_id, line_no, period_id, user_id, slot, bet_satang, bet_satang, discount_satang, rate, win_satang
    from seed_wins order by at, order_id, line_no`,
  `insert into settlements (period_id, paid_up_to_order_id, paid_orders, paid_satang, started_at, finished_at)
    select period_id, coalesce(max(order_id), 0), count(distinct order_id), coalesce(sum(win_satang), 0), started_at, finished_at
    from seed_settlements left join seed_wins using (period_id) group by seed_settlements.period_id`,
]

/** Payments, whose entries are written below, in the order of time, instead of by their trigger. */
const paymentSteps = [
  'alter table payments disable trigger post_payments',
  `insert into payments (child_id, parent_id, kind, amount_satang, balance_after_satang, method, day, holder_id, recorded_by, recorded_at)
    select child_id, parent_id, 'payment', amount_satang, balance_after_satang, method,
      (recorded_at at time zone 'Asia/Bangkok')::date, recorded_by, recorded_by, recorded_at
    from seed_payments join users on user_id = child_id order by recorded_at, child_id`,
  'alter table payments enable trigger post_payments',
]

/** Ledger entries, numbered in time order; the database applies them to balances. */
const entrySteps = [
  `create temporary table seed_moves as
    select 'bet' as kind, order_id, null as idempotency_key, user_id as actor_id, placed_at as at, 0 as step, user_id,
      period_id, received_satang - discount_satang as amount_satang
    from orders where order_id in (select order_id from seed_tickets)
    union all
    select 'refund', order_id, 'refund:' || order_id, removed_by, removed_at, 1, o.user_id, o.period_id,
      received_satang - discount_satang
    from seed_tickets join orders o using (order_id) where removed_at is not null
    union all
    select 'win', order_id, 'win:' || period_id || ':' || order_id, null, at, 2, user_id, period_id, sum(win_satang)
    from seed_wins group by order_id, at, user_id, period_id`,
  'analyze seed_moves',
  // Each with the accounts from which and to which an amount above 0 goes.
  `create temporary table seed_entries as
    select m.kind, order_id, idempotency_key, actor_id, at, step, amount_satang,
      case m.kind when 'bet' then cash.account_id else house.account_id end as from_id,
      case m.kind when 'bet' then house.account_id else cash.account_id end as to_id
    from seed_moves m join accounts cash on cash.user_id = m.user_id and cash.kind = 'cash'
      join accounts house on house.period_id = m.period_id
    union all
    select 'result', null, format('result:%s:0:%s', l.period_id, l.user_id), null, finished_at, 3, own_part(l),
      house.account_id, own.account_id
    from seed_settlements join level_periods l using (period_id) join accounts house on house.period_id = l.period_id
      join accounts own on own.user_id = l.user_id and own.kind = 'result'
    union all
    select 'transfer', null, 'payment:' || payment_id, recorded_by, recorded_at, 4, amount_satang, above.account_id, below.account_id
    from payments join users on user_id = child_id join accounts above on above.user_id = payments.parent_id and above.kind = 'purse'
      join accounts below on below.user_id = child_id and below.kind = case level when 'member' then 'cash' else 'purse' end
    where payments.kind = 'payment' and not exists (select from entries where idempotency_key = 'payment:' || payment_id)`,
  'analyze seed_entries',
  `insert into entries (entry_id, kind, order_id, idempotency_key, actor_id, at, from_account_id, to_account_id, amount_satang)
    select (select case when is_called then last_value else last_value - 1 end from entry_ids)
        + row_number() over (order by at, order_id, step, idempotency_key),
      kind, order_id, idempotency_key, actor_id, at, case when amount_satang > 0 then from_id else to_id end,
      case when amount_satang > 0 then to_id else from_id end, abs(amount_satang)
    from seed_entries where amount_satang <> 0 order by at, order_id, step, idempotency_key`,
  `select setval('order_ids', greatest((select last_value from order_ids), (select max(order_id) from orders))),
    setval('entry_ids', greatest((select last_value from entry_ids), (select max(entry_id) from entries)))`,
]

/** The accepted amount on each number. A used block remains even if all of it was returned. */
const quotaStep = `
  with bets as (
    select period_id, slot, sum(bet_satang) filter (where is_live) as satang from seed_lines group by period_id, slot
  ), keys as (
    select slot, bet_type, (case when bet_type in ('3roll', '2roll')
      then (select string_agg(digit, '' order by digit) from regexp_split_to_table(number, '') digit) else number end)::int
      as quota_key
    from (select distinct slot from bets) used cross join lateral (
      select bet_type_of(slot) as bet_type, number_of(slot) as number) bet
  ), sums as (
    select period_id, bet_type, quota_key, coalesce(sum(satang), 0)::bigint as satang
    from bets join keys using (slot) group by period_id, bet_type, quota_key
  )
  insert into quota_blocks (period_id, bet_type, block, packed)
  select period_id, bet_type, quota_key / 100,
    add_to_block(array_fill(0::smallint, array[100]), array_agg(quota_key % 100 + 1), array_agg(satang), null, null, null, null)
  from sums group by period_id, bet_type, quota_key / 100`

const sumsByType = (column: string): string =>
  `array[${betTypeCodes
    .map((code) => `coalesce(sum(${column}) filter (where is_live and bet_type_of(slot) = '${code}'), 0)`)
    .join(', ')}]`

/** Each member's sums by package and bet type, as in the exposure of settled periods. */
const bookStep = `
  insert into book_members (period_id, user_id, package_id, line_count, received_satang, discount_satang)
  select period_id, user_id, package_id, count(*) filter (where is_live), ${sumsByType('bet_satang')},
    ${sumsByType('discount_satang')}
  from seed_lines join periods using (period_id) where outcome = 'settled' group by period_id, user_id, package_id`

/** As recorded by nightly jobs, some minutes before each midnight in Bangkok. */
const markSteps = [
  `insert into balance_marks (user_id, entry_id, balance_satang)
    select user_id, entry_id, balance from (
      select user_id, entry_id, night, sum(sum(postings.amount_satang)) over (partition by user_id order by entry_id) as balance,
        row_number() over (partition by user_id, night order by entry_id desc) as nth
      from accounts join postings using (account_id) join entries using (entry_id)
        cross join lateral (select (at at time zone 'Asia/Bangkok' + interval '15 minutes')::date) as noted (night)
      where user_id is not null group by user_id, entry_id, night
    ) running
    where nth = 1 and night < (now() at time zone 'Asia/Bangkok' + interval '15 minutes')::date
    on conflict do nothing`,
  `insert into entry_marks (day, entry_id)
    select night + 1, max(entry_id) from entries
      cross join lateral (select (at at time zone 'Asia/Bangkok' + interval '10 minutes')::date) as noted (night)
    where night < (now() at time zone 'Asia/Bangkok' + interval '10 minutes')::date
    group by night on conflict do nothing`,
]

/** Current terms of packages, as if offered since before their first ticket. */
const termsStep = `
  insert into package_terms_history (package_id, bet_type, since_at, rate, discount_rate, min_satang, max_satang,
    max_per_number_satang, is_on)
  select package_id, bet_type, since_at, rate, discount_rate, min_satang, max_satang, max_per_number_satang, is_on
  from package_terms join (select package_id, min(placed_at) - interval '1 day' as since_at from seed_tickets
    group by package_id) first using (package_id)
  on conflict do nothing`

/** Writes the staged tickets and their rollups. After them payments can be staged. */
export const rollupSteps: readonly string[] = [...lineSteps, termsStep, ...ticketSteps, 'select rebuild_rollups()']

/** Writes the staged payments, the ledger and what follows from it. */
export const ledgerSteps: readonly string[] = [
  ...paymentSteps,
  ...entrySteps,
  quotaStep,
  bookStep,
  'select rebuild_edges()',
  ...markSteps,
  // All of it is committed now, long after its periods closed; at the latest five minutes after this step.
  `update auditor_state set commits_count_after = clock_timestamp() + interval '5 minutes'`,
]

/** Writes the staged data, in this order; temporary tables remain until `dropStaging` drops them. */
export const historySteps: readonly string[] = [...rollupSteps, ...ledgerSteps]

export const dropStaging =
  'drop table seed_tickets, seed_winning, seed_settlements, seed_payments, seed_lines, seed_wins, seed_moves, seed_entries'
