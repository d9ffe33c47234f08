-- Long lists begin quickly, however much lies behind them.

-- Tickets that carry a note, for the search in notes, of one member and of all; most carry none and pay nothing.
create index orders_noted on orders (user_id, order_id desc) where note <> '';
create index orders_noted_of_all on orders (order_id desc) where note <> '';
-- Tickets that ended are few among those that stand.
create index orders_cancelled on orders (user_id, order_id desc) where status = 'CANCELLED';
create index orders_cancelled_of_all on orders (order_id desc) where status = 'CANCELLED';
create index orders_deleted_of_all on orders (order_id desc) where status = 'DELETED';

-- About where a ticket or an entry of an instant stands: numbers are given in the order of time, but for what was in flight
-- together. The answer is on the early side, by ten minutes at least; whoever asks looks at the instants themselves, too.
create function order_id_before(instant timestamptz) returns bigint language plpgsql stable
  set search_path = public, pg_temp as $$
declare
  low bigint := coalesce((select min(order_id) from orders), 1) - 1;
  high bigint := coalesce((select max(order_id) from orders), 0) + 1;
  middle bigint;
  seen timestamptz;
begin
  while high - low > 1 loop
    middle := (low + high) / 2;
    select created_at into seen from orders where order_id >= middle order by order_id limit 1;
    if seen < instant - interval '10 minutes' then low := middle; else high := middle; end if;
  end loop;
  return low;
end $$;

create function entry_id_before(instant timestamptz) returns bigint language plpgsql stable
  set search_path = public, pg_temp as $$
declare
  low bigint := coalesce((select min(entry_id) from entries), 1) - 1;
  high bigint := coalesce((select max(entry_id) from entries), 0) + 1;
  middle bigint;
  seen timestamptz;
begin
  while high - low > 1 loop
    middle := (low + high) / 2;
    select at into seen from entries where entry_id >= middle order by entry_id limit 1;
    if seen < instant - interval '10 minutes' then low := middle; else high := middle; end if;
  end loop;
  return low;
end $$;

-- A user's balance (cash and held) after an entry of its own, noted once a day: a statement of long ago need not be reckoned
-- back from today. One that is missing only costs time.
create table balance_marks (
  user_id bigint not null references users,
  entry_id bigint not null,
  balance_satang bigint not null,
  primary key (user_id, entry_id)
);
create trigger append_only before update or delete or truncate on balance_marks execute function refuse_change();
grant select, insert on balance_marks to megalot_app;

-- A user's balance before an instant.
create function balance_before(of_user bigint, instant timestamptz) returns bigint language plpgsql stable
  set search_path = public, pg_temp as $$
declare
  own bigint[] := array(select account_id from accounts where user_id = of_user);
  low bigint := entry_id_before(instant);
  high bigint := entry_id_before(instant + interval '20 minutes');
  anchor record;
  moved bigint;
begin
  select entry_id, balance_satang into anchor from balance_marks
    where user_id = of_user and entry_id >= high order by entry_id limit 1;
  if not found then
    select 9223372036854775807 as entry_id, sum(balance_satang)::bigint as balance_satang into anchor
      from accounts where user_id = of_user;
  end if;
  select coalesce(sum(amount), 0) into moved from (
    select -amount_satang as amount from entries where from_account_id = any(own)
      and entry_id > low and entry_id <= anchor.entry_id and at >= instant
    union all
    select amount_satang from entries where to_account_id = any(own)
      and entry_id > low and entry_id <= anchor.entry_id and at >= instant
  ) sides;
  return anchor.balance_satang - moved;
end $$;
