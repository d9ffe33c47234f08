-- Rollups for reports. A level's figures of a period are written when the period is settled or its result is corrected:
-- one row per upline, and none while tickets are placed. `member_periods` is written with every ticket.

-- A member's wins in a settled period: the winning items, and tickets that contain one. No row without a win.
create table member_wins (
  user_id bigint not null references users,
  period_id int not null references periods,
  item_count int not null,
  item_bet_satang bigint not null,
  item_received_satang bigint not null,
  item_discount_satang bigint not null,
  item_ticket_count int not null,
  -- Tickets whose items have all won.
  whole_ticket_count int not null,
  ticket_bet_satang bigint not null,
  ticket_received_satang bigint not null,
  ticket_discount_satang bigint not null,
  win_satang bigint not null,
  primary key (user_id, period_id)
);
create index member_wins_by_period on member_wins (period_id);
grant select on member_wins to megalot_app;

-- Sums of the members below a level in a settled period, and the shares of it that each level keeps and passes on.
create table level_periods (
  user_id bigint not null references users,
  period_id int not null references periods,
  member_count int not null,
  ticket_count int not null,
  bet_satang bigint not null,
  received_satang bigint not null,
  discount_satang bigint not null,
  win_satang bigint not null,
  -- Of stakes, wins and discounts (including commission): the part that came to this level from the level below,
  came_received_satang bigint not null,
  came_discount_satang bigint not null,
  came_win_satang bigint not null,
  -- the part that this level passed on to its parent,
  passed_received_satang bigint not null,
  passed_discount_satang bigint not null,
  passed_win_satang bigint not null,
  -- and the part that its parent passed on.
  above_received_satang bigint not null,
  above_discount_satang bigint not null,
  above_win_satang bigint not null,
  -- The sums of `member_wins` of its members.
  item_count int not null,
  item_bet_satang bigint not null,
  item_received_satang bigint not null,
  item_discount_satang bigint not null,
  item_ticket_count int not null,
  -- Tickets whose items have all won.
  whole_ticket_count int not null,
  ticket_bet_satang bigint not null,
  ticket_received_satang bigint not null,
  ticket_discount_satang bigint not null,
  primary key (user_id, period_id)
);
create index level_periods_by_period on level_periods (period_id);
grant select on level_periods to megalot_app;

-- How often a bet has won for a member, over all settled periods of a market.
create table member_numbers (
  user_id bigint not null references users,
  product_code text not null references products,
  slot int not null,
  win_count int not null,
  win_satang bigint not null,
  primary key (user_id, product_code, slot)
);
grant select on member_numbers to megalot_app;

-- The part of a member's stakes that each of its levels passes on, in hundredths of a percent, by the terms in force at
-- an instant. `depth` 1 is the company, which passes on nothing.
create function left_above_levels(levels bigint[], instant timestamptz)
  returns table (depth int, level_id bigint, left_rate int, commission_rate int)
  language sql stable set search_path = public, pg_temp as $$
  select depth::int, level_id,
    case when depth = 1 then 0
      else 10000 - sum(coalesce(terms.position_rate, 0)) over (order by depth desc) end::int,
    coalesce(terms.commission_rate, 0)
  from unnest(levels) with ordinality as level (level_id, depth)
    left join lateral share_terms_at(level_id, instant) terms on true
$$;

-- A part of an amount, rounded half up to the satang; the rate in hundredths of a percent.
create function part_of(amount bigint, rate int) returns bigint language sql immutable
  return (amount * rate + 5000) / 10000;

-- What each level passes on of each member of a period, rounded once per member; amounts in satang.
create function passed_by_levels(of_period int)
  returns table (member_id bigint, depth int, level_id bigint, received bigint, discount bigint, win bigint)
  language sql stable set search_path = public, pg_temp as $$
  with members as materialized (
    select m.user_id, u.upline_ids, m.received_satang, m.discount_satang, m.win_satang
    from member_periods m join users u using (user_id)
    where m.period_id + 0 = of_period and m.ticket_count > 0
  ), lines as materialized (
    select upline_ids, part.* from (select distinct upline_ids from members) line
      cross join lateral left_above_levels(upline_ids, (select shares_at from periods where period_id = of_period)) part
  )
  select m.user_id, l.depth, l.level_id, part_of(m.received_satang, l.left_rate),
    part_of(m.discount_satang + part_of(m.received_satang, l.commission_rate), l.left_rate),
    part_of(m.win_satang, l.left_rate)
  from members m join lines l using (upline_ids)
$$;

-- The rows of `member_wins` of a period, computed from its winning items.
create function compute_member_wins(of_period int) returns setof member_wins
  language sql stable set search_path = public, pg_temp as $$
  select user_id, of_period, sum(items)::int, sum(bet)::bigint, sum(received)::bigint, sum(discount)::bigint, count(*)::int,
    (count(*) filter (where items = item_count - coalesce(cardinality(returned_lines), 0)))::int,
    sum(o.bet_satang)::bigint, sum(o.received_satang)::bigint, sum(o.discount_satang)::bigint, sum(win)::bigint
  from (
    select user_id, order_id, sum(sign) as items, sum(sign * bet_satang) as bet, sum(sign * received_satang) as received,
      sum(sign * discount_satang) as discount, sum(win_satang) as win
    from order_wins where period_id = of_period group by user_id, order_id having sum(sign) > 0
  ) won join orders o using (user_id, order_id)
  group by user_id
$$;

-- The rows of `level_periods` of a period, computed from its members' sums.
create function compute_level_periods(of_period int) returns setof level_periods
  language sql stable set search_path = public, pg_temp as $$
  with passed as materialized (
    select * from passed_by_levels(of_period)
  )
  select own.level_id, of_period, count(*)::int, sum(m.ticket_count)::int, sum(m.bet_satang)::bigint,
    sum(m.received_satang)::bigint, sum(m.discount_satang)::bigint, sum(m.win_satang)::bigint,
    sum(coalesce(below.received, m.received_satang))::bigint, sum(coalesce(below.discount, m.discount_satang))::bigint,
    sum(coalesce(below.win, m.win_satang))::bigint,
    sum(own.received)::bigint, sum(own.discount)::bigint, sum(own.win)::bigint,
    coalesce(sum(above.received), 0)::bigint, coalesce(sum(above.discount), 0)::bigint,
    coalesce(sum(above.win), 0)::bigint,
    coalesce(sum(item_count), 0)::int, coalesce(sum(item_bet_satang), 0)::bigint,
    coalesce(sum(item_received_satang), 0)::bigint, coalesce(sum(item_discount_satang), 0)::bigint,
    coalesce(sum(item_ticket_count), 0)::int, coalesce(sum(whole_ticket_count), 0)::int,
    coalesce(sum(ticket_bet_satang), 0)::bigint, coalesce(sum(ticket_received_satang), 0)::bigint,
    coalesce(sum(ticket_discount_satang), 0)::bigint
  from passed own
    join member_periods m on m.user_id = own.member_id and m.period_id = of_period
    left join passed below on below.member_id = own.member_id and below.depth = own.depth + 1
    left join passed above on above.member_id = own.member_id and above.depth = own.depth - 1
    left join member_wins won on won.user_id = own.member_id and won.period_id = of_period
  group by own.level_id
$$;

-- Rewrites a period's rollups. Security definer: the application has no right to write them, because they always follow
-- from the tickets.
create function roll_up_period(of_period int) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from member_wins where period_id = of_period;
  delete from level_periods where period_id = of_period;
  insert into member_wins select * from compute_member_wins(of_period);
  insert into level_periods select * from compute_level_periods(of_period);
end $$;

-- Adds the wins of one round of a period to `member_numbers`.
create function count_numbers(of_period int, of_round int) returns void
  language sql security definer set search_path = public, pg_temp as $$
  insert into member_numbers as kept (user_id, product_code, slot, win_count, win_satang)
  select user_id, product_code, slot, sum(sign), sum(win_satang)
  from order_wins w join periods using (period_id)
  where period_id = of_period and w.round = of_round group by user_id, product_code, slot order by user_id, slot
  on conflict (user_id, product_code, slot) do update set
    win_count = kept.win_count + excluded.win_count, win_satang = kept.win_satang + excluded.win_satang
$$;

-- A period is settled once per round, so each round is counted once, in the settling transaction.
create function roll_up_settled_period() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform roll_up_period(new.period_id);
  perform count_numbers(new.period_id, coalesce((select s.round from settlements s where s.period_id = new.period_id), 0));
  return null;
end $$;
create trigger roll_up_settled_period after update of outcome on periods for each row
  when (old.outcome = 'settling' and new.outcome = 'settled') execute function roll_up_settled_period();

-- Rewrites all rollups from the tickets. Tickets wait meanwhile, so only the owner may call it.
create function rebuild_rollups() returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  lock table member_periods in share row exclusive mode;
  lock table periods in share row exclusive mode;
  delete from member_periods m where not exists (
    select 1 from orders o where o.user_id = m.user_id and o.period_id = m.period_id);
  insert into member_periods as kept (user_id, period_id, ticket_count, bet_satang, received_satang, discount_satang, win_satang)
  select user_id, period_id, count(*) filter (where is_live), coalesce(sum(bet_satang) filter (where is_live), 0),
    coalesce(sum(received_satang) filter (where is_live), 0), coalesce(sum(discount_satang) filter (where is_live), 0),
    coalesce(sum(win_satang) filter (where is_live), 0)
  from orders cross join lateral (select status in ('CONFIRMED', 'WAIT_CONFIRM')) as state (is_live)
  -- In the order in which tickets insert them, so that a period's rows are stored together.
  group by period_id, user_id order by period_id, user_id
  on conflict (user_id, period_id) do update set ticket_count = excluded.ticket_count, bet_satang = excluded.bet_satang,
    received_satang = excluded.received_satang, discount_satang = excluded.discount_satang, win_satang = excluded.win_satang
    where (kept.ticket_count, kept.bet_satang, kept.received_satang, kept.discount_satang, kept.win_satang)
      <> (excluded.ticket_count, excluded.bet_satang, excluded.received_satang, excluded.discount_satang, excluded.win_satang);
  delete from member_wins;
  delete from level_periods;
  perform roll_up_period(period_id) from (select distinct period_id from member_periods) bet
    join periods using (period_id) where outcome = 'settled';
  delete from member_numbers;
  insert into member_numbers (user_id, product_code, slot, win_count, win_satang)
  select user_id, product_code, slot, sum(sign), sum(win_satang)
  from order_wins w join periods using (period_id) left join settlements s using (period_id)
  where outcome = 'settled' or w.round < s.round group by user_id, product_code, slot;
end $$;

-- Sums of the members below a level, or of all members if it is null, in unsettled periods. By index, period by period,
-- because most future periods have no member yet, which statistics do not show.
create function sum_open_periods(period_ids int[], of_level bigint)
  returns table (period_id int, ticket_count int, bet_satang bigint, received_satang bigint, discount_satang bigint)
  language plpgsql stable set search_path = public, pg_temp
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off
  set plan_cache_mode = force_custom_plan as $$
declare
  member_ids bigint[] := array(select user_id from users where upline_ids @> array[of_level]);
begin
  return query
    select open.period_id, sum(m.ticket_count)::int, sum(m.bet_satang)::bigint, sum(m.received_satang)::bigint,
      sum(m.discount_satang)::bigint
    from unnest(period_ids) as open (period_id) join member_periods m on m.period_id + 0 = open.period_id
    where m.ticket_count > 0 and (of_level is null or m.user_id = any(member_ids))
    group by open.period_id;
end $$;
