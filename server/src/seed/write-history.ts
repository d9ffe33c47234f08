// Bulk writer of past tickets with all their effects: events, wins, ledger entries in order of time, balances, quotas,
// settlements, and the rollups of reports. It writes what the application's services would have written at those times;
// tests compare both. Used by the demo, tests and benchmarks.
//
// The caller fills the temporary tables of `stagingTables` and then runs `historySteps`, all in one transaction or
// session as the owner. Periods, awards and packages must exist before; no ticket of these periods may exist.

import { betTypeCodes } from '@megalot/rules'

/**
 * - `seed_tickets`: amounts and status as they were when the ticket was placed (`placed_*`, `first_status`), and its
 *   present status; `slots`, `lines` and `differences` as in `orders`.
 * - `seed_events`: later events of tickets; `released`: numbers of the lines whose stake was returned.
 * - `seed_winning`: the winning slots of each settled period; a correction's round contains only the changes, with sign
 *   -1 for slots that no longer win.
 * - `seed_settlements`: when each round of a period was settled.
 * - `seed_voids`: periods without a valid draw, whose stakes were refunded.
 */
export const stagingTables: readonly string[] = [
  `create temporary table seed_tickets (
    order_id bigint primary key, user_id bigint not null, period_id int not null, package_id int not null,
    first_status text not null default 'CONFIRMED', status text not null default 'CONFIRMED', note text not null default '',
    placed_at timestamptz not null, confirm_deadline_at timestamptz, decided_at timestamptz, cancelled_by bigint,
    slots smallint[] not null, lines bytea not null, differences bigint[], returned_lines int[],
    placed_bet_satang bigint not null, placed_received_satang bigint not null, placed_discount_satang bigint not null)`,
  `create temporary table seed_events (
    order_id bigint not null, at timestamptz not null, event text not null, from_status text not null,
    to_status text not null, actor_id bigint, reason text, released int[] not null default '{}')`,
  `create temporary table seed_winning (period_id int not null, round int not null default 0, slot int not null,
    sign int not null default 1)`,
  `create temporary table seed_settlements (period_id int not null, round int not null default 0,
    started_at timestamptz not null, finished_at timestamptz not null, primary key (period_id, round))`,
  `create temporary table seed_voids (period_id int primary key, requested_by bigint not null,
    requested_at timestamptz not null, reason text not null, approved_by bigint not null, approved_at timestamptz not null,
    finished_at timestamptz not null)`,
]

const analyzeStaging = ['analyze seed_tickets', 'analyze seed_winning', 'analyze seed_settlements']

/** Tickets with a line on a winning slot, and of these the lines that are paid. */
const winSteps = [
  `create temporary table seed_matches as
    select t.order_id, t.user_id, t.period_id, round, line_no, slot, sign, finished_at as at, bet_satang, received_satang,
      discount_satang, rate, line_no = any(coalesce(t.returned_lines, '{}')) as is_returned
    from seed_tickets t cross join lateral unpack_lines(t.slots, t.lines, t.differences) line
      join seed_winning using (period_id, slot) join seed_settlements using (period_id, round)
    where t.status = 'CONFIRMED'`,
  // The win is rounded half up, once per line (§7 of the domain rules).
  `create temporary table seed_wins as
    select *, sign * ((received_satang * rate + 50) / 100) as win_satang from seed_matches
    where not is_returned and received_satang * rate >= 50`,
  // For each ticket and round: its win before the round, and its win since.
  `create temporary table seed_win_rounds as
    select order_id, user_id, period_id, round, at,
      (sum(win_satang) over so_far)::bigint as now_satang, (sum(win_satang) over so_far - win_satang)::bigint as before_satang
    from (
      select order_id, user_id, period_id, round, at, sum(win_satang) as win_satang from seed_wins
      group by order_id, user_id, period_id, round, at
    ) rounds window so_far as (partition by order_id order by round)`,
]

/** The sums of the lines that were not returned: the amounts of a ticket with returned lines. */
const standing = `
  cross join lateral (
    select sum(bet_satang) as bet_satang, sum(received_satang) as received_satang, sum(discount_satang) as discount_satang
    from unpack_lines(t.slots, t.lines, t.differences)
    where t.returned_lines is not null and line_no <> all(t.returned_lines)
  ) kept`

const ticketSteps = [
  `insert into orders (order_id, request_id, content_hash, user_id, period_id, package_id, status, note, item_count,
      bet_satang, received_satang, discount_satang, win_satang, created_at, placed_at, confirm_deadline_at, decided_at, cancelled_by, slots, lines, differences, returned_lines)
    select order_id, gen_random_uuid(), substring(sha256(order_id::text::bytea) for 16), user_id, period_id, package_id, status, note,
      cardinality(slots),
      case when returned_lines is null then placed_bet_satang else coalesce(kept.bet_satang, 0) end,
      case when returned_lines is null then placed_received_satang else coalesce(kept.received_satang, 0) end,
      case when returned_lines is null then placed_discount_satang else coalesce(kept.discount_satang, 0) end,
      coalesce(won.win_satang, 0), placed_at, placed_at, confirm_deadline_at, decided_at, cancelled_by,
      slots, lines, differences, returned_lines
    from seed_tickets t ${standing}
      left join (select order_id, sum(win_satang)::bigint as win_satang from seed_wins group by order_id) won using (order_id)
    order by order_id`,
  `insert into order_events (order_id, at, event, from_status, to_status, actor_id, reason, details)
    select order_id, at, event, from_status, to_status, actor_id, reason, case when cardinality(released) > 0 then
      jsonb_build_object('released', (
        select jsonb_agg(jsonb_build_object('line_no', line_no, 'received_satang', received_satang) order by line_no)
        from unpack_lines(t.slots, t.lines, t.differences) where line_no = any(released))) end
    from seed_events join seed_tickets t using (order_id) order by at, order_id`,
  `insert into taken_back_tickets as counted (user_id, period_id, tickets)
    select user_id, period_id, count(*) from seed_events e join seed_tickets t using (order_id)
    where from_status = 'WAIT_CONFIRM' and to_status = 'CANCELLED' group by user_id, period_id
    -- A trigger has counted those of which lines were returned.
    on conflict (user_id, period_id) do update set tickets = counted.tickets + excluded.tickets`,
  `insert into order_wins (order_id, line_no, round, period_id, user_id, slot, bet_satang, received_satang, discount_satang,
      rate, sign, win_satang)
    select order_id, line_no, round, period_id, user_id, slot, bet_satang, received_satang, discount_satang, rate, sign,
      win_satang
    from seed_wins order by at, order_id, line_no`,
  `insert into settlements (period_id, round, paid_up_to_order_id, paid_orders, paid_satang, started_at, finished_at)
    select period_id, round, coalesce(last_id, 0), coalesce(paid.orders, 0), coalesce(paid.satang, 0), started_at, finished_at
    from (select distinct on (period_id) * from seed_settlements order by period_id, round desc) latest
      left join (select period_id, round, max(order_id) as last_id from seed_matches group by period_id, round) matched
        using (period_id, round)
      left join (select period_id, round, count(*) as orders, sum(now_satang) as satang from seed_win_rounds
        group by period_id, round) paid using (period_id, round)`,
  `insert into period_voids (period_id, requested_by, requested_at, reason, approved_by, approved_at,
      refunded_up_to_order_id, refunded_orders, refunded_satang, finished_at)
    select v.period_id, requested_by, requested_at, reason, approved_by, approved_at, coalesce(max(order_id), 0),
      count(order_id), coalesce(sum(received_satang - discount_satang), 0), finished_at
    from seed_voids v left join orders o on o.period_id = v.period_id and o.status = 'CONFIRMED' group by v.period_id`,
]

const accountOf = (column: string): string =>
  `case ${column} when 'cash' then cash.account_id when 'held' then held.account_id else house.account_id end`

/** Ledger entries, numbered in order of time; the database applies them to the balances. */
const entrySteps = [
  `create temporary table seed_moves (kind text, order_id bigint, idempotency_key text, actor_id bigint, at timestamptz, step int,
    from_kind text, to_kind text, user_id bigint, period_id int, amount_satang bigint)`,
  `insert into seed_moves
    select case first_status when 'WAIT_CONFIRM' then 'bet_hold' else 'bet' end, order_id, null, user_id, placed_at, 0,
      'cash', case first_status when 'WAIT_CONFIRM' then 'held' else 'period' end, user_id, period_id,
      placed_received_satang - placed_discount_satang
    from seed_tickets`,
  `insert into seed_moves
    select 'refund', order_id, 'refund:' || order_id, actor_id, at, 1, 'period', 'cash', t.user_id, t.period_id,
      o.received_satang - o.discount_satang
    from seed_events join seed_tickets t using (order_id) join orders o using (order_id)
    where from_status = 'CONFIRMED' and to_status <> 'CONFIRMED'`,
  `insert into seed_moves
    select 'refund', order_id, 'refund:' || order_id, null, finished_at, 1, 'period', 'cash', t.user_id, t.period_id,
      o.received_satang - o.discount_satang
    from seed_voids join seed_tickets t using (period_id) join orders o using (order_id) where t.status = 'CONFIRMED'`,
  `insert into seed_moves
    select moved.kind, order_id, moved.kind || ':' || order_id, actor_id, at, moved.step, 'held', moved.to_kind, t.user_id,
      t.period_id, moved.satang
    from seed_events join seed_tickets t using (order_id) join orders o using (order_id)
      cross join lateral (select case to_status when 'CONFIRMED' then o.received_satang - o.discount_satang else 0 end)
        as what (stays)
      cross join lateral (values
        ('bet_release', 1, 'cash', placed_received_satang - placed_discount_satang - stays), ('bet', 2, 'period', stays)
      ) as moved (kind, step, to_kind, satang)
    where from_status = 'WAIT_CONFIRM'`,
  `insert into seed_moves
    select moved.kind, order_id, moved.kind || ':' || period_id || ':' || order_id
        || case round when 0 then '' else ':' || round end,
      null, at, moved.step, moved.from_kind, moved.to_kind, user_id, period_id, moved.satang
    from seed_win_rounds cross join lateral (values
      ('reversal', 3, 'cash', 'period', before_satang), ('win', 4, 'period', 'cash', now_satang)
    ) as moved (kind, step, from_kind, to_kind, satang)`,
  'analyze seed_moves',
  `insert into entries (entry_id, kind, order_id, idempotency_key, actor_id, at, from_account_id, to_account_id, amount_satang)
    select (select case when is_called then last_value else last_value - 1 end from entry_ids)
        + row_number() over (order by at, order_id, step),
      m.kind, order_id, idempotency_key, actor_id, at, ${accountOf('from_kind')}, ${accountOf('to_kind')}, amount_satang
    from seed_moves m join accounts cash on cash.user_id = m.user_id and cash.kind = 'cash'
      join accounts held on held.user_id = m.user_id and held.kind = 'held'
      join accounts house on house.period_id = m.period_id
    where amount_satang > 0 order by at, order_id, step`,
  `select setval('order_ids', greatest((select last_value from order_ids), (select max(order_id) from orders))),
    setval('entry_ids', greatest((select last_value from entry_ids), (select max(entry_id) from entries)))`,
]

/** The accepted amount on each number; a block that was used stays when all of it was returned. */
const quotaStep = `
  with bets as (
    select period_id, slot, sum(line.received_satang) filter (
      where status in ('CONFIRMED', 'WAIT_CONFIRM') and line_no <> all(coalesce(returned_lines, '{}'))) as received_satang
    from seed_tickets cross join lateral unpack_lines(slots, lines, differences) line
    group by period_id, slot
  ), keys as (
    select slot, bet_type, (case when bet_type in ('3roll', '2roll')
      then (select string_agg(digit, '' order by digit) from regexp_split_to_table(number, '') digit) else number end)::int
      as quota_key
    from (select distinct slot from bets) used cross join lateral (
      select bet_type_of(slot) as bet_type, number_of(slot) as number) bet
  ), sums as (
    select period_id, bet_type, quota_key, coalesce(sum(received_satang), 0)::bigint as satang
    from bets join keys using (slot) group by period_id, bet_type, quota_key
  )
  insert into quota_blocks (period_id, bet_type, block, packed)
  select period_id, bet_type, quota_key / 100,
    add_to_block(array_fill(0::smallint, array[100]), array_agg(quota_key % 100 + 1), array_agg(satang), null, null, null, null)
  from sums group by period_id, bet_type, quota_key / 100`

/** An amount of a line, 0 where its ticket or the line itself was taken back. */
const liveAmount = (amount: string): string =>
  `case when t.status in ('CONFIRMED', 'WAIT_CONFIRM') and line_no <> all(coalesce(returned_lines, '{}'))
    then line.${amount} else 0 end`

const sumsByType = (amount: string): string =>
  `array[${betTypeCodes
    .map((code) => `coalesce(sum(${amount}) filter (where bet_type_of(line.slot) = '${code}'), 0)`)
    .join(', ')}]`

/** What each member has by package and bet type, as the books of settled periods keep it. */
const bookStep = `
  insert into book_members (period_id, user_id, package_id, line_count, received_satang, discount_satang)
  select t.period_id, t.user_id, t.package_id,
    count(*) filter (where t.status in ('CONFIRMED', 'WAIT_CONFIRM') and line_no <> all(coalesce(returned_lines, '{}'))),
    ${sumsByType(liveAmount('received_satang'))}, ${sumsByType(liveAmount('discount_satang'))}
  from seed_tickets t join periods using (period_id)
    cross join lateral unpack_lines(t.slots, t.lines, t.differences) line
  where outcome = 'settled' and line.received_satang > 0
  group by t.period_id, t.user_id, t.package_id`

/** As the nightly jobs would have recorded them, some minutes before each midnight in Bangkok. */
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

/** The constraint against late tickets reads the clock: these tickets were in time when they were placed. */
const withoutGuard = (steps: readonly string[]): string[] => [
  'alter table orders disable trigger refuse_late_orders',
  ...steps,
  'alter table orders enable trigger refuse_late_orders',
]

/** The present terms of packages, as if they had been offered since before their first ticket. */
const termsStep = `
  insert into package_terms_history (package_id, bet_type, since_at, rate, discount_rate, min_satang, max_satang,
    max_per_number_satang, is_on)
  select package_id, bet_type, since_at, rate, discount_rate, min_satang, max_satang, max_per_number_satang, is_on
  from package_terms join (select package_id, min(placed_at) - interval '1 day' as since_at from seed_tickets
    group by package_id) first using (package_id)
  on conflict do nothing`

/** Writes the staged data, in this order; temporary tables stay until `dropStaging` drops them. */
export const historySteps: readonly string[] = [
  ...analyzeStaging,
  termsStep,
  ...winSteps,
  ...withoutGuard(ticketSteps),
  ...entrySteps,
  quotaStep,
  bookStep,
  'select rebuild_rollups()',
  ...markSteps,
  // All of it is committed now, long after its periods closed: at the latest five minutes after this step.
  `update auditor_state set commits_count_after = clock_timestamp() + interval '5 minutes'`,
]

export const dropStaging =
  'drop table seed_tickets, seed_events, seed_winning, seed_settlements, seed_voids, seed_matches, seed_wins, seed_win_rounds, seed_moves'
