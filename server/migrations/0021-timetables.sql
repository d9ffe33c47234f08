-- Days without a period, timetables that change, and the stock exchanges whose hours bound them.

-- The owner writes the data of exchanges (`loadExchangeData`). Days and times are local to the exchange.
create table exchanges (
  exchange_code text primary key,
  zone text not null,
  -- Until this day the exchange or its law has published its days; later ones up to `listed_until` are expected. After that none is made.
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
  -- Betting closes at least so long before the exchange.
  add column exchange_margin_minutes int not null default 5 check (exchange_margin_minutes between 0 and 120),
  -- Days of each year (MM-DD) on which the draw may be held on another day.
  add column doubtful_days text[] not null default '{}',
  add constraint products_of_an_exchange foreign key (exchange_code, exchange_session) references exchange_sessions match full;

-- The timetable from a day on. Until then `timetable` holds; a further change first moves what already holds to `timetable`,
-- from its second day on: on the first one the day before is checked by the former timetable.
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
-- Draw days that somebody has added to the doubtful ones, or confirmed.
create table market_draw_days (
  product_code text not null references products,
  day date not null,
  is_confirmed boolean not null,
  primary key (product_code, day)
);
grant select, insert, update (is_confirmed) on market_draw_days to megalot_app;
create trigger notify_live after insert or update on market_draw_days for each statement
  execute function notify_live('{"markets":true}');
create function is_draw_day_doubtful(of_product text, of_day date) returns boolean language sql stable
begin atomic
  select not coalesce(d.is_confirmed, not to_char(of_day, 'MM-DD') = any(p.doubtful_days))
  from products p left join market_draw_days d on d.product_code = p.product_code and d.day = of_day
  where p.product_code = of_product;
end;
create trigger notify_live after insert or update or delete on market_holidays for each statement
  execute function notify_live('{"markets":true}');
create trigger notify_live_of_timetable after update of next_timetable, next_timetable_from on products for each row
  when (old.next_timetable is distinct from new.next_timetable or old.next_timetable_from is distinct from new.next_timetable_from)
  execute function notify_live('{"markets":true}');
create trigger notify_live_of_removal after delete on periods for each statement execute function notify_live('{"markets":true}');

-- Whoever sets a timetable alone could let a period take bets after its draw.
create function guard_timetable() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if current_user = 'megalot_app' and (old.timetable, old.next_timetable, old.next_timetable_from)
    is distinct from (new.timetable, new.next_timetable, new.next_timetable_from)
    and (new.timetable is distinct from old.timetable and (new.timetable is distinct from old.next_timetable
        or old.next_timetable_from >= (clock_timestamp() at time zone 'Asia/Bangkok')::date)
      or not exists (
        select 1 from approvals a
        where a.kind = 'change_timetable' and a.state = 'executed' and a.executed_in = pg_current_xact_id()
          and a.payload->>'product_code' = new.product_code and a.payload->'timetable' = new.next_timetable
          and (a.payload->>'first_day')::date = new.next_timetable_from)) then
    raise exception 'a timetable is changed by two people' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create trigger guard_timetable before update on products for each row execute function guard_timetable();

-- The instant of a time of a timetable on a day, so many minutes later.
create function timetable_instant(day date, at jsonb, zone text, minutes int) returns timestamptz language sql stable
  return (day + coalesce((at->>'day_offset')::int, 0) + (at->>'time')::time) at time zone zone + minutes * interval '1 minute';

-- The session on a day of the exchange of a market (`findSessionDay` of the application): by how much an early close shortens it (0 or
-- less), and the latest close of betting. No row: it is not held, or the market has no exchange.
create function exchange_session_on(of_product text, of_day date)
  returns table (zone text, shift_minutes int, latest_close timestamptz) language sql stable
begin atomic
  select e.zone, (extract(epoch from hours.closes - s.closes) / 60)::int,
    (of_day + hours.closes) at time zone e.zone - p.exchange_margin_minutes * interval '1 minute'
  from products p
    join exchanges e on e.exchange_code = p.exchange_code
    join exchange_sessions s on s.exchange_code = p.exchange_code and s.exchange_session = p.exchange_session
    left join exchange_days d on d.exchange_code = p.exchange_code and d.day = of_day
    cross join lateral (select least(s.closes, d.closes) as closes) hours
  where p.product_code = of_product and of_day <= e.listed_until and extract(isodow from of_day)::int = any(s.weekdays)
    and (d.day is null or d.closes is not null) and hours.closes > s.opens;
end;

-- What the timetable of a market plans for the draw of a period (`periodsOfDay` of the application): its own round where the market has
-- rounds, the only period of the day where it has none, nothing on other days. A holiday counts for nothing here: one person removes it.
-- While its day is doubtful a period opens at its close: it takes no bets.
create function planned_for(made periods)
  returns table (round int, open_at timestamptz, close_at timestamptz, draw_at timestamptz) language sql stable
begin atomic
  select case when hours ? 'rounds' then made.round end,
    case when is_draw_day_doubtful(p.product_code, made.period_date) then times.close_at else times.open_at end, times.close_at, times.draw_at
  from products p
    left join lateral (select * from exchange_session_on(p.product_code, made.period_date)) x on true
    cross join lateral (select case when made.period_date >= p.next_timetable_from then p.next_timetable else p.timetable end as hours) t
    cross join lateral (
      select case when hours ? 'rounds' then (made.round - 1) * (hours->'rounds'->>'every_minutes')::int else 0 end as minutes,
        coalesce(x.zone, 'Asia/Bangkok') as zone) later
    cross join lateral (
      select timetable_instant(made.period_date, hours->'open', later.zone, minutes) as open_at,
        least(x.latest_close, timetable_instant(made.period_date, hours->'close', later.zone, minutes + coalesce(x.shift_minutes, 0)))
          as close_at,
        timetable_instant(made.period_date, hours->'draw', later.zone, minutes + coalesce(x.shift_minutes, 0)) as draw_at) times
  where p.product_code = made.product_code and (p.exchange_code is null or x.zone is not null and times.open_at < times.close_at)
    and (not hours ? 'rounds' or made.round between 1 and (hours->'rounds'->>'count')::int)
    and (hours->>'days' = 'every_day' or hours->'days'->'weekdays' @> to_jsonb(extract(isodow from made.period_date)::int)
      or hours->'days'->'month_days' @> to_jsonb(extract(day from made.period_date)::int));
end;

-- Whether the timetable of a market has a period as it is.
create function is_of_timetable(made periods) returns boolean language sql stable
begin atomic
  select not made.is_manual and exists (
    select 1 from planned_for(made) planned
    where planned.round is not distinct from made.round and planned.open_at = made.open_at
      and planned.close_at = made.close_at and planned.draw_at = made.draw_at);
end;

-- Whether two people have postponed the draw of a period to another day, and it closes by then.
create function is_postponed(made periods) returns boolean language sql stable
begin atomic
  select exists (
    select 1 from approvals a
    where a.kind = 'postpone_period' and a.state = 'executed' and a.subject = 'period:' || made.period_code
      and made.close_at <= (a.state_after->>'close_at')::timestamptz and made.draw_at = (a.state_after->>'draw_at')::timestamptz);
end;

-- Whether a period would take bets after the hour at which its draw is held, whatever draw hour it has itself, or after the latest close
-- that its exchange allows on the day of its draw.
create function closes_too_late(made periods) returns boolean language sql stable
begin atomic
  select exists (select 1 from planned_for(made) planned where made.close_at > planned.draw_at) and not is_postponed(made)
    or exists (
      select 1 from products p join exchanges e on e.exchange_code = p.exchange_code
        cross join lateral (
          select case when is_postponed(made) then (made.draw_at at time zone e.zone)::date else made.period_date end as draw_day) held
      where p.product_code = made.product_code and not exists (
        select 1 from exchange_session_on(made.product_code, draw_day) x where made.close_at <= x.latest_close));
end;

-- Whether this transaction executes a proposal of the timetable that a period has its times of.
create function is_approved_timetable(moved periods) returns boolean language sql stable
begin atomic
  select is_of_timetable(moved) and exists (
    select 1 from approvals a
    where a.kind = 'change_timetable' and a.state = 'executed' and a.executed_in = pg_current_xact_id()
      and a.payload->>'product_code' = moved.product_code);
end;

-- Whether this transaction confirms the day of a period, or makes it doubtful. Its close and draw stay.
create function is_of_draw_day_set_now(moved periods) returns boolean language sql stable
begin atomic
  select is_of_timetable(moved) and exists (
    select 1 from market_draw_days d
    where d.product_code = moved.product_code and d.day = moved.period_date and d.xmin = pg_current_xact_id()::xid);
end;

-- A timetable leaves no period that takes bets after the draw that it plans. Decided at the commit, when the periods are moved.
create function refuse_late_periods() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if not acts_as_owner() and exists (
    select 1 from periods p
    where p.product_code = new.product_code and p.outcome = 'pending' and p.closed_at is null and p.close_at > clock_timestamp()
      and closes_too_late(p)) then
    raise exception 'a period would take bets after the draw of the timetable' using errcode = 'check_violation',
      constraint = 'timetables_leave_no_late_period';
  end if;
  return null;
end $$;
create constraint trigger refuse_late_periods after update of timetable, next_timetable, next_timetable_from on products
  deferrable initially deferred for each row execute function refuse_late_periods();

-- Whether this transaction executes a proposal of a period with these times. One without an opening opens at the approval; the
-- application has that instant in whole milliseconds.
create function is_approved_period(made periods) returns boolean language sql stable
begin atomic
  select made.is_manual and exists (
    select 1 from approvals a
    where a.kind = 'create_period' and a.state = 'executed' and a.executed_in = pg_current_xact_id()
      and a.product_code = made.product_code and a.state_after->>'period_code' = made.period_code
      and case when a.state_after->>'open_at' is null
        then made.open_at between date_trunc('milliseconds', transaction_timestamp()) and clock_timestamp()
        else made.open_at = (a.state_after->>'open_at')::timestamptz end
      and made.close_at = (a.state_after->>'close_at')::timestamptz and made.draw_at = (a.state_after->>'draw_at')::timestamptz);
end;

-- Whether the numbers of a period's day may be known: another period of the day is drawn or has its result, or is to be drawn and the
-- timetable makes none beside it (`listPeriodsOfDraws`). Where a market has rounds each has a draw of its own.
create function is_draw_known(made periods) returns boolean language sql volatile
begin atomic
  select exists (
    select 1 from periods other left join awards using (period_id) join products p on p.product_code = other.product_code
    where other.product_code = made.product_code and other.period_date = made.period_date and other.period_id <> made.period_id
      and (other.draw_at <= clock_timestamp() or awards.state = 'agreed'
        or not made.is_manual and other.outcome not in ('voiding', 'void'))
      and not coalesce(case when made.period_date >= p.next_timetable_from then p.next_timetable else p.timetable end ? 'rounds', false));
end;

-- The application makes the periods of timetables, and those that two people agreed. One of a draw that was held would pay whoever
-- knows the numbers. Decided at the commit, when proposal and timetable are there; what it allows is changed by two people alone
-- (`guard_period`). So there is no invariant of it: a period that was closed early or moved has other times than its timetable.
create function guard_new_period() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if acts_as_owner() then
    return null;
  end if;
  if new.period_code <> concat_ws('-', new.product_code, to_char(new.period_date, 'YYYYMMDD'), new.round)
    or not (is_of_timetable(new) or is_approved_period(new)) or is_draw_known(new) or closes_too_late(new) then
    raise exception 'a period is made by its timetable or by two people' using errcode = 'check_violation',
      constraint = 'periods_are_planned';
  end if;
  return null;
end $$;
create constraint trigger guard_new_period after insert on periods deferrable initially deferred
  for each row execute function guard_new_period();

-- Removes a period that has not opened, with its empty account. Lock the period first.
-- Returns false where it has opened, was made by people, or something refers to it: it stays.
-- Security definer: the application can neither delete a period nor an account.
create function remove_unopened_period(of_period int) returns boolean language plpgsql security definer
  set search_path = public, pg_temp as $$
begin
  delete from accounts where period_id = of_period and balance_satang = 0 and exists (
    select 1 from periods p where p.period_id = of_period and p.open_at > clock_timestamp() and p.outcome = 'pending' and not p.is_manual);
  if not found then
    return false;
  end if;
  -- Only now: those of a period that stays are not touched. An error undoes it.
  delete from number_settings s where s.period_id = of_period and not is_set_for_period(s);
  delete from periods where period_id = of_period;
  return true;
exception when foreign_key_violation then
  return false;
end $$;
revoke execute on function remove_unopened_period(int) from public;
grant execute on function remove_unopened_period(int) to megalot_app;
