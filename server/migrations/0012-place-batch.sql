-- Placing a batch of tickets: one call, one transaction.

-- Data that decides a batch, apart from its members. A node that has read it asserts by a hash that it is unchanged.
create view betting_periods as
select periods.period_id, periods.period_code, periods.product_code, periods.period_date, periods.round, periods.open_at,
  periods.close_at, periods.draw_at, periods.outcome,
  case when periods.outcome in ('settled', 'void') then periods.outcome
    when periods.outcome = 'voiding' then 'closed'
    when clock_timestamp() < periods.open_at then 'upcoming'
    when clock_timestamp() < periods.close_at and periods.closed_at is null then 'open' else 'closed' end as status,
  bet_types, is_enabled, (
    select json_build_object('message_th', message_th, 'message_en', message_en,
      'until_at', to_char(until_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
    from maintenances where scope = products.product_code
  ) as maintenance, account_id as period_account_id, (
    select coalesce(json_agg(json_build_object('package_id', package_id, 'package_code', package_code, 'name', name,
      'max_items', max_items, 'terms', (
        select coalesce(json_agg(json_build_object('bet_type', bet_type, 'rate', rate, 'discount_rate', discount_rate,
          'min_satang', min_satang, 'max_satang', max_satang, 'max_per_number_satang', max_per_number_satang,
          'is_on', is_on) order by bet_type), '[]')
        from package_terms terms where terms.package_id = packages.package_id)) order by package_id), '[]')
    from packages where packages.product_code = products.product_code
  ) as packages
from periods join products using (product_code) join accounts using (period_id);
grant select on betting_periods to megalot_app;

-- What the office has set for a period: quotas of bet types and packages, and single numbers.
create view period_limits as
select periods.period_id, periods.period_code, (
    select coalesce(json_agg(json_build_object('bet_type', bet_type, 'full_satang', full_satang, 'half_satang', half_satang)
      order by bet_type), '[]')
    from quotas_in_force in_force where in_force.period_id = periods.period_id and package_code is null
  ) as quotas, (
    select coalesce(json_agg(json_build_object('package_code', package_code, 'bet_type', bet_type, 'full_satang', full_satang,
      'half_satang', half_satang) order by package_code, bet_type), '[]')
    from quotas_in_force in_force where in_force.period_id = periods.period_id and package_code is not null
  ) as package_quotas, (
    -- An open number without an amount is the same as an unset one.
    select coalesce(json_agg(json_build_object('bet_type', bet_type, 'quota_key', quota_key, 'set_to', set_to,
      'full_satang', full_satang, 'half_satang', half_satang) order by bet_type, quota_key), '[]')
    from number_settings
    where number_settings.period_id = periods.period_id and (set_to <> 'open' or full_satang is not null)
  ) as numbers
from periods;
grant select on period_limits to megalot_app;

-- Fails unless the cached data that decided a batch is unchanged.
create function assert_unchanged(of_period int, period_hash text, limits_hash text, ticket_users bigint[], ticket_packages int[],
  session_ids bigint[]) returns void language plpgsql
  set search_path = public, pg_temp
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
begin
  perform assert_precondition((select md5(p::text) from betting_periods p where p.period_id = of_period) = period_hash,
    'period_unchanged');
  perform assert_precondition((select md5(l::text) from period_limits l where l.period_id = of_period) = limits_hash,
    'period_limits_unchanged');
  perform assert_precondition(not exists (
    select 1 from unnest(ticket_users, ticket_packages) as given (user_id, package_id) left join users using (user_id)
    where status_in_force is distinct from 'NORMAL' or has_play_limits or not given.package_id = any (package_ids)
  ), 'members_may_bet');
  perform assert_precondition(cardinality(session_ids) = 0 or (
    (select count(*) from sessions where session_id = any (session_ids) and ended_at is null) = cardinality(session_ids)
    and not exists (select 1 from maintenances where scope = '')), 'sessions_open');
end $$;

-- Writes the accepted tickets of a batch: tickets, member sums, money, quotas. All or nothing. The rows that all batches
-- of a period update come last, because other batches wait for them until the commit.
--
-- `ticket_users` to `held_ids` have one element per ticket. `ticket_lines`: its column `lines`. `first_slots`: where its
-- items begin, from 1, in `all_slots`; `first_differences`: the same in `all_differences`, three values per item, or 0.
-- `cash_ids`: the account that pays; `held_ids`: the one that holds a waiting ticket's money, or 0. `created`: when the
-- batch was read; null: now. `period_hash`, if the batch was decided from a cache: then `limits_hash`, `session_ids` (each
-- once) and `max_received` are asserted. `discounts_seen`: the discount that the member saw if the terms gave another one,
-- else -1; null: -1 for all. `quota_…`, `package_limits`: arguments of `add_to_quotas`. `fresh_…`: quota blocks to return.
--
-- Does the work of the triggers `add_to_member_periods` and `apply_entries` (`is_placing_batch`), and accepts nothing
-- before the opening, nor at or after the close. The existence of packages is left to `assert_unchanged`, or to the
-- transaction that read them. Security definer: the application has no right to write a balance.
create function place_batch(of_period text, created timestamptz, period_hash text, limits_hash text, session_ids bigint[],
  max_received bigint, ticket_users bigint[], request_ids text[], hashes bytea[], ticket_packages int[], notes text[],
  line_counts int[], ticket_lines bytea[], first_slots int[], first_differences int[], bets bigint[], received bigint[], discounts bigint[],
  cash_ids bigint[], held_ids bigint[], all_slots smallint[], all_differences bigint[], quota_types text[], quota_blocks int[], quota_positions text[], quota_amounts text[],
  within_full boolean, fresh_types text[], fresh_blocks int[], package_limits text[] default null,
  discounts_seen bigint[] default null)
  returns table (order_ids bigint[], placed_at timestamptz, fresh json) language plpgsql security definer
  set search_path = public, pg_temp
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
declare
  locked_period int;
  opens timestamptz;
  closes timestamptz;
  period_account bigint;
  counted int;
  no_overdraft boolean;
  largest bigint;
  for_period bigint;
  -- Sums of the tickets by member, in the order of the accounts.
  member_cash_ids bigint[];
  member_ids bigint[];
  member_tickets int[];
  member_bets bigint[];
  member_received bigint[];
  member_discounts bigint[];
begin
  -- An older snapshot would not see that the period was closed early.
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'a batch is placed in read committed only' using errcode = 'invalid_transaction_state';
  end if;
  select period_id, account_id into strict locked_period, period_account
  from periods join accounts using (period_id) where period_code = of_period;
  perform pg_advisory_xact_lock_shared(7361206, locked_period);
  select open_at, close_at into opens, closes from periods where period_id = locked_period;

  if exists (select 1 from unnest(held_ids) as held (id) where held.id is null or held.id < 0) then
    raise exception 'a ticket names an account that is not there' using errcode = 'foreign_key_violation';
  end if;
  select array_agg(m.cash_id order by m.cash_id), array_agg(m.user_id order by m.cash_id),
    array_agg(m.tickets order by m.cash_id), array_agg(m.bet order by m.cash_id),
    array_agg(m.received order by m.cash_id), array_agg(m.discount order by m.cash_id)
  into member_cash_ids, member_ids, member_tickets, member_bets, member_received, member_discounts
  from (
    select t.cash_id, t.user_id, count(*)::int as tickets, sum(t.bet)::bigint as bet, sum(t.received)::bigint as received,
      sum(t.discount)::bigint as discount
    from unnest(cash_ids, ticket_users, bets, received, discounts) as t (cash_id, user_id, bet, received, discount)
    group by t.cash_id, t.user_id
  ) m;
  -- Not as a clause of the function, because only a superuser may set our own setting there. An error undoes it.
  perform set_config('megalot.placing_batch', 'yes', true);
  -- In the order of the accounts, which prevents deadlocks between batches that share members: a nested loop over the
  -- arrays.
  with paid as (
    update accounts set balance_satang = balance_satang - paying.net
    from unnest(member_cash_ids, member_ids, member_received, member_discounts) as given (account_id, user_id, received, discount)
      cross join lateral (select given.received - given.discount) as paying (net)
    where accounts.account_id = given.account_id and accounts.user_id = given.user_id and kind = 'cash'
    returning overdraft_satang
  )
  select count(*), bool_and(overdraft_satang = 0) into counted, no_overdraft from paid;
  if counted <> cardinality(member_ids) then
    raise exception 'a ticket names an account that is not there' using errcode = 'foreign_key_violation';
  end if;
  if period_hash is not null then
    perform assert_precondition(no_overdraft, 'no_overdrafts');
    perform assert_unchanged(locked_period, period_hash, limits_hash, ticket_users, ticket_packages, session_ids);
  end if;

  -- After the locks, so that a member's later ticket has the higher id.
  order_ids := array(select nextval('order_ids') from generate_series(1, cardinality(ticket_users)));
  placed_at := clock_timestamp();
  insert into orders (order_id, request_id, content_hash, user_id, period_id, package_id, status, note, item_count, bet_satang,
    received_satang, discount_satang, slots, lines, differences, created_at, placed_at, confirm_deadline_at,
    discount_seen_satang)
  select t.order_id, t.request_id, t.hash, t.user_id, locked_period, t.package_id,
    case when t.held_id > 0 then 'WAIT_CONFIRM' else 'CONFIRMED' end, t.note, t.count, t.bet, t.received, t.discount,
    all_slots[t.first : t.first + t.count - 1], t.lines,
    case when t.differs > 0 then all_differences[3 * t.differs - 2 : 3 * (t.differs + t.count - 1)] end,
    coalesce(created, placed_at), placed_at, case when t.held_id > 0 then least(placed_at + interval '30 minutes', closes) end,
    nullif(t.discount_seen, -1)
  from unnest(order_ids, request_ids, hashes, ticket_users, ticket_packages, held_ids, notes, line_counts, ticket_lines,
    first_slots, first_differences, bets, received, discounts, discounts_seen)
    as t (order_id, request_id, hash, user_id, package_id, held_id, note, count, lines, first, differs, bet, received, discount,
      discount_seen);

  -- Most rows exist, and `on conflict do update` would lock each of them first. No one else inserts the other rows,
  -- because the cash accounts are locked. By `any`, not by a join: a plan made while the table was empty would scan all
  -- of it.
  with added as (
    update member_periods stored set (ticket_count, bet_satang, received_satang, discount_satang) = (
      select stored.ticket_count + member_tickets[member_index], stored.bet_satang + member_bets[member_index],
        stored.received_satang + member_received[member_index], stored.discount_satang + member_discounts[member_index]
      from (select array_position(member_ids, stored.user_id) as member_index offset 0) own)
    where user_id = any (member_ids) and period_id = locked_period
    returning received_satang
  )
  select count(*), max(received_satang) into counted, largest from added;
  if counted < cardinality(member_ids) then
    with added as (
      insert into member_periods (user_id, period_id, ticket_count, bet_satang, received_satang, discount_satang, win_satang)
      select m.user_id, locked_period, m.tickets, m.bet, m.received, m.discount, 0
      from unnest(member_ids, member_tickets, member_bets, member_received, member_discounts)
        as m (user_id, tickets, bet, received, discount)
      on conflict (user_id, period_id) do nothing
      returning received_satang
    )
    select counted + count(*), greatest(largest, max(received_satang)) into counted, largest from added;
    if counted <> cardinality(member_ids) then
      raise exception 'another writer added the sums of a member' using errcode = 'serialization_failure';
    end if;
  end if;
  -- As long as a total is below every limit per number, no number can have passed its limit.
  if largest > max_received then
    perform assert_precondition(false, 'far_from_number_limit');
  end if;

  insert into entries (kind, order_id, actor_id, from_account_id, to_account_id, amount_satang)
  select case when t.held_id > 0 then 'bet_hold' else 'bet' end, t.order_id, t.user_id, t.cash_id,
    case when t.held_id > 0 then t.held_id else period_account end, t.received - t.discount
  from unnest(order_ids, ticket_users, cash_ids, held_ids, received, discounts)
    as t (order_id, user_id, cash_id, held_id, received, discount)
  where t.received > t.discount;
  if exists (select 1 from unnest(held_ids) as held (id) where held.id > 0) then
    update accounts set balance_satang = balance_satang + holding.net
    from (
      select t.held_id, t.user_id, sum(t.received - t.discount)::bigint as net
      from unnest(held_ids, ticket_users, received, discounts) as t (held_id, user_id, received, discount)
      where t.held_id > 0 group by t.held_id, t.user_id
    ) holding where accounts.account_id = holding.held_id and accounts.user_id = holding.user_id and kind = 'held';
    get diagnostics counted = row_count;
    if counted <> (select count(distinct held.id) from unnest(held_ids) as held (id) where held.id > 0) then
      raise exception 'a ticket names an account that is not there' using errcode = 'foreign_key_violation';
    end if;
  end if;

  perform add_to_quotas(of_period, quota_types, quota_blocks, quota_positions, quota_amounts, within_full, package_limits);
  fresh := (select json_agg(json_build_object('bet_type', b.bet_type, 'block', b.block, 'accepted_satang', b.accepted_satang))
    from unnest(fresh_types, fresh_blocks) as given (bet_type, block)
      join accepted_blocks b on b.period_id = locked_period and b.bet_type = given.bet_type and b.block = given.block);
  select coalesce(sum(t.received - t.discount), 0) into for_period
  from unnest(held_ids, received, discounts) as t (held_id, received, discount) where t.held_id = 0;
  update accounts set balance_satang = balance_satang + for_period where account_id = period_account;

  if clock_timestamp() >= closes or coalesce(created, placed_at) < opens
    -- A clock that steps back does not reopen a period.
    or (select outcome <> 'pending' or closed_at is not null from periods where period_id = locked_period)
    or exists (select 1 from slot_indexes where slot_indexes.period_id = locked_period) then
    raise exception 'the period is closed' using errcode = 'check_violation', constraint = 'orders_in_time';
  end if;
  perform set_config('megalot.placing_batch', '', true);
  return next;
end $$;
grant execute on function place_batch to megalot_app;
