-- Adds what was accepted (or, below 0, released) to blocks of a period, whatever else has been added since they were read.
-- `changes` holds for each block an array of a hundred amounts in satang, as text. One caller at a time: the lock is that of
-- `holdQuotas`, which whoever must rely on what it has read takes before reading.
--
-- Whoever read the blocks without the lock has decided that every bet is taken whole at the full rate, or not at all: that
-- stays right however the sums have moved, as long as no number passes its full quota. `within_full` asks for just this to be
-- looked at, and for nothing to be written where it is not so. A number that is set to pay half by hand may pass it.
create function add_to_quotas(to_period text, bet_types text[], blocks int[], changes text[], within_full boolean)
  returns void language plpgsql
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
declare
  id int;
  product text;
  changed int;
begin
  select period_id, product_code into strict id, product from periods where period_code = to_period;
  perform pg_advisory_xact_lock(7361208, id);
  update quota_blocks b set accepted_satang = array(
      select before_satang + change from unnest(b.accepted_satang, given.change::bigint[])
        with ordinality as number (before_satang, change, place) order by place)
    from unnest(bet_types, blocks, changes) as given (bet_type, block, change)
    where b.period_id = id and b.bet_type = given.bet_type and b.block = given.block;
  get diagnostics changed = row_count;
  if changed <> cardinality(blocks) then
    raise exception 'a block of quotas is not there' using errcode = 'foreign_key_violation';
  end if;
  if within_full and exists (
    select 1 from unnest(bet_types, blocks, changes) as given (bet_type, block, change)
      join quota_settings s on s.product_code = product and s.bet_type = given.bet_type
      join quota_blocks b on b.period_id = id and b.bet_type = given.bet_type and b.block = given.block
    where not (s.full_satang >= all (b.accepted_satang))
      and exists (
        select 1 from unnest(b.accepted_satang, given.change::bigint[])
          with ordinality as number (now_satang, change, place)
        where change > 0 and now_satang > s.full_satang and not exists (
          select 1 from number_settings n where n.period_id = id and n.bet_type = b.bet_type and n.set_to = 'half'
            and n.quota_key = lpad((b.block * 100 + place - 1)::text, left(b.bet_type, 1)::int, '0')))
  ) then
    raise exception 'a number has passed its full quota meanwhile'
      using errcode = 'check_violation', constraint = 'quota_still_full';
  end if;
end $$;

-- Nothing looks for all members of a period, and with this index a plan made on an empty table would.
drop index member_periods_by_period;

-- The packages that a user has been given, kept on the user: every ticket asks for one of them.
alter table users add column package_ids int[] not null default '{}';
update users set package_ids = array(select package_id from user_packages given where given.user_id = users.user_id);
create function begin_without_packages() returns trigger language plpgsql as $$
begin
  new.package_ids := '{}';
  return new;
end $$;
create trigger begin_without_packages before insert on users for each row execute function begin_without_packages();
create function keep_package_ids() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update users set package_ids = array(select package_id from user_packages given where given.user_id = users.user_id)
    where user_id in (select user_id from changed);
  return null;
end $$;
create trigger keep_package_ids_given after insert on user_packages
  referencing new table as changed for each statement execute function keep_package_ids();
create trigger keep_package_ids_taken after delete on user_packages
  referencing old table as changed for each statement execute function keep_package_ids();

-- A batch names few packages, so they are looked up once.
create or replace function refuse_late_orders() returns trigger language plpgsql
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
declare
  user_ids bigint[] := array(select distinct user_id from new_orders);
begin
  -- One walk through the index: a batch names a hundred.
  if (select count(*) from users where user_id = any(user_ids)) <> cardinality(user_ids)
    or exists (select 1 from (select distinct package_id from new_orders) o
      where not exists (select 1 from packages k where k.package_id = o.package_id)) then
    raise exception 'a ticket names a user or package that is not there' using errcode = 'foreign_key_violation';
  end if;
  if exists (select 1 from (select period_id, min(created_at) as created_at from new_orders group by period_id) o
    left join periods p on p.period_id = o.period_id
    where p.period_id is null or clock_timestamp() >= p.close_at or o.created_at < p.open_at or p.outcome <> 'pending') then
    raise exception 'the period is closed' using errcode = 'check_violation', constraint = 'orders_in_time';
  end if;
  return null;
end $$;
