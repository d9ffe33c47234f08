-- Sums that reports add up. A member's own, period by period, stand in `member_periods` and are kept with every ticket.
-- What each level has of a period is written once, when the period is settled (and again when it is corrected): it costs a
-- row for each upline, and nothing while tickets are placed.

-- The members of a period. Written so that no look-up of one member's row can take it for its own (`0016` has the story).
create index member_periods_by_any_member on member_periods ((period_id + 0));
create index periods_by_date on periods (period_date);

-- What won in a settled period: winning items, and the tickets that hold one. Members who have won nothing have no row.
create table member_wins (
  user_id bigint not null references users,
  period_id int not null references periods,
  item_count int not null,
  item_bet_satang bigint not null,
  item_received_satang bigint not null,
  item_discount_satang bigint not null,
  item_ticket_count int not null,
  -- Tickets that hold no item but winning ones.
  whole_ticket_count int not null,
  ticket_bet_satang bigint not null,
  ticket_received_satang bigint not null,
  ticket_discount_satang bigint not null,
  win_satang bigint not null,
  primary key (user_id, period_id)
);
create index member_wins_by_period on member_wins (period_id);

-- What the members below a level have in a settled period, and what of it came to the level and went on above it.
create table level_periods (
  user_id bigint not null references users,
  period_id int not null references periods,
  member_count int not null,
  ticket_count int not null,
  bet_satang bigint not null,
  received_satang bigint not null,
  discount_satang bigint not null,
  win_satang bigint not null,
  -- Of stakes, wins and discounts (commission included) the part that came to this level from the one below …
  came_received_satang bigint not null,
  came_discount_satang bigint not null,
  came_win_satang bigint not null,
  -- … that this level passed on to its parent …
  passed_received_satang bigint not null,
  passed_discount_satang bigint not null,
  passed_win_satang bigint not null,
  -- … and that its parent passed on further.
  above_received_satang bigint not null,
  above_discount_satang bigint not null,
  above_win_satang bigint not null,
  -- The sums of `member_wins` of its members.
  item_count int not null,
  item_bet_satang bigint not null,
  item_received_satang bigint not null,
  item_discount_satang bigint not null,
  item_ticket_count int not null,
  -- Tickets that hold no item but winning ones.
  whole_ticket_count int not null,
  ticket_bet_satang bigint not null,
  ticket_received_satang bigint not null,
  ticket_discount_satang bigint not null,
  primary key (user_id, period_id)
);
create index level_periods_by_period on level_periods (period_id);

-- How often a number has won for a member, over all settled periods of a market.
create table member_numbers (
  user_id bigint not null references users,
  product_code text not null references products,
  slot int not null,
  win_count int not null,
  win_satang bigint not null,
  primary key (user_id, product_code, slot)
);

-- What is left of a member's stakes above each of its levels, in hundredths of a percent, by the terms of a period.
-- `depth` 1 is the company, which passes nothing on.
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

-- What a part is of an amount: rounded half up to the satang.
create function part_of(amount bigint, rate int) returns bigint language sql immutable as $$
  select (amount * rate + 5000) / 10000
$$;

-- What each level of a period's members passes on, rounded once for each member; amounts in satang.
create function passed_by_levels(of_period int)
  returns table (member_id bigint, depth int, level_id bigint, received bigint, discount bigint, win bigint)
  language sql stable set search_path = public, pg_temp as $$
  with members as materialized (
    select m.user_id, u.upline_ids, m.received_satang, m.discount_satang, m.win_satang
    from member_periods m join users u using (user_id)
    where m.period_id + 0 = of_period and m.ticket_count > 0
  ), lines as materialized (
    select upline_ids, part.* from (select distinct upline_ids from members) line
      cross join lateral left_above_levels(upline_ids, (select open_at from periods where period_id = of_period)) part
  )
  select m.user_id, l.depth, l.level_id, part_of(m.received_satang, l.left_rate),
    part_of(m.discount_satang + part_of(m.received_satang, l.commission_rate), l.left_rate),
    part_of(m.win_satang, l.left_rate)
  from members m join lines l using (upline_ids)
$$;

-- What won in a period, by member, from its winning items.
create function reckon_wins(of_period int) returns setof member_wins
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

-- What each level has of a period, from its members' sums.
create function reckon_levels(of_period int) returns setof level_periods
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

-- Writes the sums of a period anew. Runs as the owner: nobody else can write them, and what is written is always what
-- follows from the tickets.
create function roll_up_period(of_period int) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from member_wins where period_id = of_period;
  delete from level_periods where period_id = of_period;
  insert into member_wins select * from reckon_wins(of_period);
  insert into level_periods select * from reckon_levels(of_period);
end $$;

-- Adds what won in one round of a period to the members' numbers.
create function count_numbers(of_period int, of_round int) returns void
  language sql security definer set search_path = public, pg_temp as $$
  insert into member_numbers as kept (user_id, product_code, slot, win_count, win_satang)
  select user_id, product_code, slot, sum(sign), sum(win_satang)
  from order_wins w join periods using (period_id)
  where period_id = of_period and w.round = of_round group by user_id, product_code, slot order by user_id, slot
  on conflict (user_id, product_code, slot) do update set
    win_count = kept.win_count + excluded.win_count, win_satang = kept.win_satang + excluded.win_satang
$$;

-- Periods are settled once a round, so its numbers are counted once: with the same change of the period's outcome.
create function keep_sums_of_settled() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform roll_up_period(new.period_id);
  perform count_numbers(new.period_id, coalesce((select s.round from settlements s where s.period_id = new.period_id), 0));
  return null;
end $$;
create trigger keep_sums_of_settled after update of outcome on periods for each row
  when (old.outcome = 'settling' and new.outcome = 'settled') execute function keep_sums_of_settled();

-- Writes all sums anew from the tickets. Tickets wait meanwhile.
create function rebuild_sums() returns void
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
  -- As tickets make them: those of a period lie together.
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
revoke execute on function count_numbers(int, int) from public;

-- Periods that were settled before this table was there.
select roll_up_period(period_id), count_numbers(period_id, 0) from periods
where outcome = 'settled' and exists (select 1 from member_periods m where m.period_id + 0 = periods.period_id);

-- What members have in periods that are not settled: of everybody below a level, or of all where none is given. It goes by
-- the index, period for period: most of those that are made ahead have no member yet, which no statistics say.
create function open_sums(period_ids int[], of_level bigint)
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

grant select on member_wins, level_periods, member_numbers to megalot_app;
