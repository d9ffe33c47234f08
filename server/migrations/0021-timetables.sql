-- Days without a period, timetable changes, and the hours of stock exchanges.

-- The owner writes the data of exchanges (`loadExchangeData`). Days and times are local to the exchange.
create table exchanges (
  exchange_code text primary key,
  zone text not null,
  -- The exchange or its law has published days until then. Days from there to `listed_until` are expected. Later ones
  -- have no data, and no periods.
  published_until date not null,
  listed_until date not null,
  note text not null,
  as_of date not null
);
create table exchange_sessions (
  exchange_code text not null references exchanges,
  exchange_session text not null,
  opens time not null,
  closes time not null check (opens < closes),
  weekdays int[] not null,
  primary key (exchange_code, exchange_session)
);
-- Holidays, where `closes` is null, and early closes.
create table exchange_days (
  exchange_code text not null references exchanges,
  day date not null,
  closes time,
  name text not null,
  primary key (exchange_code, day)
);
grant select on exchanges, exchange_sessions, exchange_days to megalot_app;
alter table products
  add column exchange_code text,
  add column exchange_session text,
  -- Betting closes at least this long before the exchange.
  add column exchange_margin_minutes int not null default 5 check (exchange_margin_minutes between 0 and 120),
  -- Days of each year (MM-DD) on which the draw may move to another day.
  add column doubtful_days text[] not null default '{}',
  add constraint products_of_an_exchange foreign key (exchange_code, exchange_session) references exchange_sessions match full;

-- The timetable from a given day on; until then `timetable` applies. A further change first moves a timetable already
-- in force to `timetable`, from its second day on: on the first one the day before is checked by the former timetable.
alter table products
  add column next_timetable jsonb,
  add column next_timetable_from date,
  add constraint next_timetable_from_a_day check ((next_timetable is null) = (next_timetable_from is null));
grant update (next_timetable, next_timetable_from) on products to megalot_app;

create table market_holidays (
  product_code text not null references products,
  holiday date not null,
  name text not null check (length(name) between 1 and 60),
  primary key (product_code, holiday)
);
grant select, insert, update (name), delete on market_holidays to megalot_app;
-- Draw days that someone has marked as doubtful, or confirmed.
create table market_draw_days (
  product_code text not null references products,
  day date not null,
  is_confirmed boolean not null,
  primary key (product_code, day)
);
grant select, insert, update (is_confirmed) on market_draw_days to megalot_app;
create trigger notify_live after insert or update on market_draw_days for each statement
  execute function notify_live('{"markets":true}');
create trigger notify_live after insert or update or delete on market_holidays for each statement
  execute function notify_live('{"markets":true}');
create trigger notify_live after update of is_enabled, cancel_rules, next_timetable, next_timetable_from on products
  for each statement execute function notify_live('{"markets":true}');

create constraint trigger require_audit after insert or update or delete on market_holidays deferrable initially deferred
  for each row when (not acts_as_owner()) execute function require_audit('product:', 'product_code');
-- Two people who move a period confirm its day.
create constraint trigger require_audit after insert or update on market_draw_days deferrable initially deferred
  for each row when (not acts_as_owner()) execute function require_audit(
    $$'product:' || product_code, 'period:' || product_code || '-' || to_char(day, 'YYYYMMDD')$$);

-- Removes an unopened period with its empty account. Lock the period first. Returns false, and keeps it, if it has
-- opened, was created by people, or is referred to. Security definer: the application can delete neither a period nor
-- an account.
create function remove_unopened_period(of_period int) returns boolean language plpgsql security definer
  set search_path = public, pg_temp as $$
begin
  delete from accounts where period_id = of_period and balance_satang = 0 and exists (
    select 1 from periods p where p.period_id = of_period and p.open_at > clock_timestamp() and p.outcome = 'pending' and not p.is_manual);
  if not found then
    return false;
  end if;
  -- Only now, so that a kept period's settings are untouched. An error undoes it.
  delete from number_settings s where s.period_id = of_period and not is_set_for_period(s);
  delete from periods where period_id = of_period;
  return true;
exception when foreign_key_violation then
  return false;
end $$;
grant execute on function remove_unopened_period(int) to megalot_app;
