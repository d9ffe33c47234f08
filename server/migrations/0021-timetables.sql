-- Days without a period, and timetables that change.

-- The timetable from a day on. Until then `timetable` holds; a further change first moves what already holds to `timetable`.
alter table products
  add column next_timetable jsonb,
  add column next_timetable_from date,
  add constraint next_timetable_from_a_day check ((next_timetable is null) = (next_timetable_from is null));

create table market_holidays (
  product_code text not null references products,
  holiday date not null,
  name text not null check (length(name) between 1 and 60),
  primary key (product_code, holiday)
);
grant select, insert, update (name), delete on market_holidays to megalot_app;
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
    and (new.timetable is distinct from old.timetable and new.timetable is distinct from old.next_timetable
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
  delete from periods where period_id = of_period;
  return true;
exception when foreign_key_violation then
  return false;
end $$;
revoke execute on function remove_unopened_period(int) from public;
grant execute on function remove_unopened_period(int) to megalot_app;
