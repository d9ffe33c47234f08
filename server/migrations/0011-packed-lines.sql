-- A ticket's lines stand on the ticket, packed as they were accepted, and never change: a row a line cost ten times the
-- work. What happens to a line later stands beside: lines given back by the member, and wins. `order_items` shows them
-- unpacked; `bet_keys` finds the tickets that bet on a number.

alter table orders
  -- Of each line, in order: asked, received (satang), rate, rate seen (hundredths), discount rate (hundredths of a percent),
  -- discount (satang), 1 where it pays half. Numbers alone: they are written and read at half the cost of names.
  add column lines json,
  -- Of each line the period and the bet as one number: period_id × 10,000 + the slot of the bet (`rules/bet-slot.ts`).
  add column bet_keys bigint[],
  -- Numbers of the lines that the member gave back when asked.
  add column returned_lines int[];

update orders set
  lines = items.lines,
  bet_keys = items.bet_keys,
  returned_lines = items.returned_lines
from (
  select order_id,
    json_agg(json_build_array(asked_satang, received_satang, rate, rate_seen, discount_rate,
      discount_satang, is_half_pay::int) order by line_no) as lines,
    array_agg(period_id * 10000::bigint + number::int + case bet_type
      when '3top' then 0 when '3roll' then 1000 when '3front' then 2000 when '3bottom' then 3000 when '2top' then 4000
      when '2bottom' then 4100 when '2roll' then 4200 when '1top' then 4300 when '1bottom' then 4310 end order by line_no)
      as bet_keys,
    array_agg(line_no order by line_no) filter (where bet_satang = 0 and asked_satang > 0) as returned_lines
  from order_items group by order_id
) items
where items.order_id = orders.order_id;

create table order_wins (
  order_id bigint not null references orders,
  line_no int not null check (line_no > 0),
  win_satang bigint not null check (win_satang > 0),
  primary key (order_id, line_no)
);
insert into order_wins (order_id, line_no, win_satang)
select order_id, line_no, win_satang from order_items where win_satang > 0;
create trigger append_only before update or delete or truncate on order_wins execute function refuse_change();

drop table order_items;
drop function refuse_foreign_items();

alter table orders
  alter column lines set not null,
  alter column bet_keys set not null,
  add constraint orders_have_their_lines check (cardinality(bet_keys) = item_count);
-- Settlement finds the tickets of a winning number by it.
create index orders_by_bet on orders using gin (bet_keys);

-- The bet type and number of a slot.
create function bet_type_of(slot int) returns text language sql immutable as $$
  select case when slot < 4000 then (array['3top', '3roll', '3front', '3bottom'])[slot / 1000 + 1]
    when slot < 4300 then (array['2top', '2bottom', '2roll'])[(slot - 4000) / 100 + 1]
    when slot < 4310 then '1top' else '1bottom' end
$$;
create function number_of(slot int) returns text language sql immutable as $$
  select case when slot < 4000 then lpad((slot % 1000)::text, 3, '0')
    when slot < 4300 then lpad((slot % 100)::text, 2, '0') else (slot % 10)::text end
$$;

-- The lines of tickets as they stand now: those given back are 0.
create view order_items as
select orders.order_id, line.line_no::int as line_no, orders.period_id, orders.user_id, orders.status as order_status,
  bet_type_of(bet.slot) as bet_type, number_of(bet.slot) as number,
  (value ->> 0)::bigint as asked_satang,
  case when is_returned then 0 else (value ->> 0)::bigint end as bet_satang,
  case when is_returned then 0 else (value ->> 1)::bigint end as received_satang,
  (value ->> 2)::int as rate, (value ->> 3)::int as rate_seen, (value ->> 4)::int as discount_rate,
  case when is_returned then 0 else (value ->> 5)::bigint end as discount_satang,
  value ->> 6 = '1' as is_half_pay,
  coalesce(wins.win_satang, 0) as win_satang
from orders
  cross join lateral json_array_elements(orders.lines) with ordinality as line (value, line_no)
  cross join lateral (select line.line_no = any(coalesce(orders.returned_lines, '{}'))) as given_back (is_returned)
  cross join lateral (select (orders.bet_keys[line.line_no] % 10000)::int) as bet (slot)
  left join order_wins wins on wins.order_id = orders.order_id and wins.line_no = line.line_no;

-- What a member has in a period on live tickets: reports add these up, and the limit per number is looked at closely only
-- where the total comes near it. Kept by the database alone, from the tickets.
create table member_periods (
  user_id bigint not null references users,
  period_id int not null references periods,
  ticket_count int not null,
  bet_satang bigint not null,
  received_satang bigint not null check (received_satang >= 0),
  discount_satang bigint not null,
  win_satang bigint not null,
  primary key (user_id, period_id)
) with (fillfactor = 70);
create index member_periods_by_period on member_periods (period_id);
insert into member_periods
select user_id, period_id, count(*), sum(bet_satang), sum(received_satang), sum(discount_satang), sum(win_satang)
from orders where status in ('CONFIRMED', 'WAIT_CONFIRM') group by user_id, period_id;

create function add_to_member_periods() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into member_periods as kept
  select user_id, period_id, count(*), sum(bet_satang), sum(received_satang), sum(discount_satang), sum(win_satang)
  from new_orders where status in ('CONFIRMED', 'WAIT_CONFIRM') group by user_id, period_id order by user_id
  on conflict (user_id, period_id) do update set
    ticket_count = kept.ticket_count + excluded.ticket_count,
    bet_satang = kept.bet_satang + excluded.bet_satang,
    received_satang = kept.received_satang + excluded.received_satang,
    discount_satang = kept.discount_satang + excluded.discount_satang,
    win_satang = kept.win_satang + excluded.win_satang;
  return null;
end $$;
create trigger add_to_member_periods after insert on orders
  referencing new table as new_orders for each statement execute function add_to_member_periods();

create function change_member_periods() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update member_periods kept set
    ticket_count = kept.ticket_count + change.tickets,
    bet_satang = kept.bet_satang + change.bet,
    received_satang = kept.received_satang + change.received,
    discount_satang = kept.discount_satang + change.discount,
    win_satang = kept.win_satang + change.win
  from (
    select user_id, period_id, sum(sign) as tickets, sum(sign * bet_satang) as bet, sum(sign * received_satang) as received,
      sum(sign * discount_satang) as discount, sum(sign * win_satang) as win
    from (
      select 1 as sign, user_id, period_id, bet_satang, received_satang, discount_satang, win_satang
        from new_orders where status in ('CONFIRMED', 'WAIT_CONFIRM')
      union all
      select -1, user_id, period_id, bet_satang, received_satang, discount_satang, win_satang
        from old_orders where status in ('CONFIRMED', 'WAIT_CONFIRM')
    ) both_sides group by user_id, period_id
  ) change
  where kept.user_id = change.user_id and kept.period_id = change.period_id;
  return null;
end $$;
create trigger change_member_periods after update on orders
  referencing new table as new_orders old table as old_orders for each statement execute function change_member_periods();

-- Instead of a look-up for each row and each reference, one for each statement; what is referred to is never removed.
-- The joins must go by index: a plan made while a table was empty would read all of it when it is full.
alter table orders drop constraint orders_user_id_fkey, drop constraint orders_period_id_fkey, drop constraint orders_package_id_fkey;
alter table entries drop constraint entries_actor_id_fkey;
alter table postings drop constraint postings_entry_id_fkey, drop constraint postings_account_id_fkey;

create or replace function refuse_late_orders() returns trigger language plpgsql
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
begin
  if exists (
    select 1 from new_orders o left join users u on u.user_id = o.user_id left join packages k on k.package_id = o.package_id
    where u.user_id is null or k.package_id is null
  ) then
    raise exception 'a ticket names a user or package that is not there' using errcode = 'foreign_key_violation';
  end if;
  if exists (select 1 from new_orders o left join periods p on p.period_id = o.period_id
    where p.period_id is null or clock_timestamp() >= p.close_at or o.created_at < p.open_at or p.outcome <> 'pending') then
    raise exception 'the period is closed' using errcode = 'check_violation', constraint = 'orders_in_time';
  end if;
  return null;
end $$;

create or replace function apply_postings() returns trigger language plpgsql security definer set search_path = public, pg_temp
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
declare
  wrong bigint;
  changed int;
begin
  select entry_id into wrong from new_postings group by entry_id having sum(amount_satang) <> 0 limit 1;
  if found then
    raise exception 'the postings of entry % do not sum to 0', wrong
      using errcode = 'check_violation', constraint = 'entries_balanced';
  end if;
  -- An entry is whole from the start: nothing is added to one of an earlier transaction.
  select p.entry_id into wrong from new_postings p left join entries e on e.entry_id = p.entry_id
    where e.entry_id is null or not written_now(e.xmin) limit 1;
  if found then
    raise exception 'entry % stands, or is not there: it cannot be added to', wrong using errcode = 'insufficient_privilege';
  end if;
  update accounts set balance_satang = balance_satang + change.amount
    from (select account_id, sum(amount_satang)::bigint as amount from new_postings group by account_id) change
    where accounts.account_id = change.account_id;
  get diagnostics changed = row_count;
  if changed <> (select count(distinct account_id) from new_postings) then
    raise exception 'a posting names an account that is not there' using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;

create function refuse_unknown_actors() returns trigger language plpgsql
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
begin
  if exists (select 1 from new_entries e left join users u on u.user_id = e.actor_id
    where e.actor_id is not null and u.user_id is null) then
    raise exception 'an entry names an actor who is not there' using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;
create trigger refuse_unknown_actors after insert on entries
  referencing new table as new_entries for each statement execute function refuse_unknown_actors();

-- Most entries have no name: only those that do need a place in the index.
alter table entries drop constraint entries_once_key_key;
create unique index entries_once_key_key on entries (once_key) where once_key is not null;

grant select on order_items to megalot_app;
grant select, insert on order_wins to megalot_app;
grant select on member_periods to megalot_app;
grant update (returned_lines) on orders to megalot_app;
