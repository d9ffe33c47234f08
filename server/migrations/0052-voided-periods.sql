-- Periods without a valid draw: two office users void one, every stake of it is refunded, and it takes no award.

create table period_voids (
  period_id int primary key references periods,
  requested_by bigint not null references users,
  requested_at timestamptz not null default clock_timestamp(),
  reason text not null check (length(reason) between 3 and 200),
  approved_by bigint references users,
  approved_at timestamptz,
  -- How far refunding came: tickets up to this one are refunded.
  refunded_up_to_order_id bigint not null default 0,
  refunded_orders int not null default 0,
  refunded_satang bigint not null default 0,
  finished_at timestamptz,
  constraint period_voids_need_two_people check (approved_by <> requested_by),
  check ((approved_by is null) = (approved_at is null)),
  check (finished_at is null or approved_by is not null)
);

create function guard_period_void() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if old.approved_by is not null and (tg_op = 'DELETE'
    or (new.period_id, new.requested_by, new.requested_at, new.reason, new.approved_by, new.approved_at)
      is distinct from (old.period_id, old.requested_by, old.requested_at, old.reason, old.approved_by, old.approved_at)
    or new.refunded_up_to_order_id < old.refunded_up_to_order_id or old.finished_at is not null) then
    raise exception 'a void that was approved stays as it is' using errcode = 'integrity_constraint_violation';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $$;
create trigger guard_period_void before update or delete on period_voids
  for each row execute function guard_period_void();

grant select, insert (period_id, requested_by, reason),
  update (approved_by, approved_at, refunded_up_to_order_id, refunded_orders, refunded_satang, finished_at), delete
  on period_voids to megalot_app;

-- voiding: two people have agreed, and stakes are being refunded.
alter table periods drop constraint periods_outcome_check,
  add constraint periods_outcome_check check (outcome in ('pending', 'settling', 'settled', 'voiding', 'void'));
create index periods_to_void on periods (period_id) where outcome = 'voiding';

create or replace function guard_period() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if new.close_at <> old.close_at and (new.close_at > old.close_at or old.close_at <= clock_timestamp()) then
    raise exception 'a period cannot be opened again' using errcode = 'check_violation', constraint = 'periods_close_once';
  end if;
  if new.outcome <> old.outcome and not (
    (old.outcome, new.outcome) in (('pending', 'settling'), ('settling', 'settled'))
    or ((old.outcome, new.outcome) = ('settled', 'settling') and exists (
      select 1 from award_corrections c where c.period_id = old.period_id and c.state = 'agreed'))
    or ((old.outcome, new.outcome) = ('pending', 'voiding') and exists (
      select 1 from period_voids v where v.period_id = old.period_id and v.approved_by is not null))
    or ((old.outcome, new.outcome) = ('voiding', 'void') and exists (
      select 1 from period_voids v where v.period_id = old.period_id and v.finished_at is not null))) then
    raise exception 'a period cannot go from % to %', old.outcome, new.outcome
      using errcode = 'check_violation', constraint = 'periods_go_forward';
  end if;
  return new;
end $$;

create trigger tell_live_of_voiding after update of outcome on periods for each row
  when (new.outcome = 'voiding' and old.outcome <> 'voiding') execute function tell_live('{"markets":true}');

-- Tickets that have been refunded because their period is void.
create view refunded_orders as
select order_id, orders.user_id, period_id, received_satang - discount_satang as net_satang
from orders join period_voids voids using (period_id)
where orders.status = 'CONFIRMED' and voids.approved_by is not null and order_id <= voids.refunded_up_to_order_id;
grant select on refunded_orders to megalot_app;

-- What all members of a period are told once it has happened. A member's notices are those of the periods it has bet in: there
-- is no row for each member.
create table notices (
  notice_id int generated always as identity primary key,
  kind text not null check (kind in ('award_corrected', 'period_voided')),
  period_id int not null references periods,
  correction_id int references award_corrections,
  at timestamptz not null default clock_timestamp(),
  check ((kind = 'award_corrected') = (correction_id is not null)),
  unique (correction_id)
);
create index notices_by_time on notices (at desc);
create unique index notices_one_void on notices (period_id) where kind = 'period_voided';
create trigger append_only before update or delete or truncate on notices execute function refuse_change();
grant select, insert (kind, period_id, correction_id) on notices to megalot_app;

insert into notices (kind, period_id, correction_id, at)
select 'award_corrected', period_id, correction_id, settled_at from award_corrections
where state = 'settled' order by settled_at;
