-- What the house takes on each number of a period: counted by number (rolls by their digits in ascending order), limited
-- by the market's settings, or set by hand.

-- Absent: no limit.
create table quota_settings (
  product_code text not null references products,
  bet_type text not null,
  -- Taken at the full rate; after that at half the rate.
  full_satang bigint not null check (full_satang >= 0),
  half_satang bigint not null check (half_satang >= 0),
  primary key (product_code, bet_type)
);

create table number_quotas (
  period_id int not null references periods,
  bet_type text not null,
  quota_key text not null check (quota_key ~ '^[0-9]{1,3}$'),
  set_to text not null default 'open' check (set_to in ('open', 'half', 'closed')),
  -- The sum received of all live items on the number.
  accepted_satang bigint not null default 0 check (accepted_satang >= 0),
  primary key (period_id, bet_type, quota_key)
);

-- The last line of defence: what grows must not pass the limit in force, whatever the code above believes.
create function refuse_oversold() returns trigger language plpgsql as $$
begin
  if exists (
    select 1 from new_quotas n join old_quotas o using (period_id, bet_type, quota_key)
      join periods p using (period_id) join quota_settings s using (product_code, bet_type)
    where n.accepted_satang > o.accepted_satang and n.accepted_satang > s.full_satang + s.half_satang
  ) then
    raise exception 'a quota would be oversold' using errcode = 'check_violation', constraint = 'quota_never_oversold';
  end if;
  return null;
end $$;
create trigger refuse_oversold after update on number_quotas
  referencing new table as new_quotas old table as old_quotas for each statement execute function refuse_oversold();

grant select, insert, update on quota_settings to megalot_app;
-- A number begins with nothing accepted; only an update, which is checked, can make it more.
grant select, insert (period_id, bet_type, quota_key, set_to), update (set_to, accepted_satang) on number_quotas to megalot_app;
