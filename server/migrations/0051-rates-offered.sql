-- Terms of packages with the time from which they hold, and how often a member has cancelled tickets that waited.

-- A row for each set of terms a package has had. A ticket may name a rate that the package offered in its period; any other
-- rate is refused (§5 of the domain rules). Written by the database with each change, so that no writer can forget it.
create table package_terms_history (
  package_id int not null references packages,
  bet_type text not null,
  since_at timestamptz not null default clock_timestamp(),
  rate int not null,
  discount_rate int not null,
  min_satang bigint not null,
  max_satang bigint not null,
  max_per_number_satang bigint not null,
  is_on boolean not null,
  primary key (package_id, bet_type, since_at)
);
create trigger append_only before update or delete or truncate on package_terms_history
  execute function refuse_change();

create function record_package_terms() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into package_terms_history (package_id, bet_type, rate, discount_rate, min_satang, max_satang,
    max_per_number_satang, is_on)
  values (new.package_id, new.bet_type, new.rate, new.discount_rate, new.min_satang, new.max_satang,
    new.max_per_number_satang, new.is_on);
  return null;
end $$;
create trigger record_package_terms after insert or update on package_terms
  for each row execute function record_package_terms();

insert into package_terms_history
select package_id, bet_type, '-infinity', rate, discount_rate, min_satang, max_satang, max_per_number_satang, is_on
from package_terms;

grant select on package_terms_history to megalot_app;

-- Tickets of a period that waited for a member and were cancelled by it, or returned whole.
create table waiting_cancels (
  user_id bigint not null references users,
  period_id int not null references periods,
  cancelled_tickets int not null check (cancelled_tickets > 0),
  primary key (user_id, period_id)
);

create function count_waiting_cancel() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into waiting_cancels as counted (user_id, period_id, cancelled_tickets)
  values (new.user_id, new.period_id, 1)
  on conflict (user_id, period_id) do update set cancelled_tickets = counted.cancelled_tickets + 1;
  return null;
end $$;
create trigger count_waiting_cancel after update of status on orders for each row
  when (old.status = 'WAIT_CONFIRM' and new.status = 'CANCELLED') execute function count_waiting_cancel();

insert into waiting_cancels
select user_id, period_id, count(distinct order_id) from order_events join orders using (order_id)
where from_status = 'WAIT_CONFIRM' and to_status = 'CANCELLED' group by user_id, period_id;

grant select on waiting_cancels to megalot_app;

alter table order_events drop column is_counted;
