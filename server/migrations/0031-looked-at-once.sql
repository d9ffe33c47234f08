-- What is certain already is not looked up again for every ticket: a live ticket's member stands in `member_periods`, which
-- refers to users itself; and whoever moves money on an account of its own is there with the account.

create or replace function refuse_late_orders() returns trigger language plpgsql set search_path = public, pg_temp
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
declare
  -- A ticket that is not live is written by nobody but a migration.
  other_users bigint[] := array(
    select distinct user_id from new_orders where status not in ('CONFIRMED', 'WAIT_CONFIRM'));
begin
  if (select count(*) from users where user_id = any(other_users)) <> cardinality(other_users)
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

create or replace function apply_entries() returns trigger language plpgsql security definer set search_path = public, pg_temp
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
declare
  named int;
  changed int;
  owner_ids bigint[];
  other_actors bigint[];
begin
  with changes as (
    select account_id, sum(amount)::bigint as amount from (
      select from_account_id as account_id, -amount_satang as amount from new_entries
      union all select to_account_id, amount_satang from new_entries
    ) sides group by account_id
  ), applied as (
    update accounts set balance_satang = balance_satang + changes.amount from changes
    where accounts.account_id = changes.account_id returning user_id
  )
  select (select count(*) from changes), (select count(*) from applied),
      (select array_agg(user_id) filter (where user_id is not null) from applied)
    into named, changed, owner_ids;
  if changed <> named then
    raise exception 'an entry names an account that is not there' using errcode = 'foreign_key_violation';
  end if;
  other_actors := array(select actor_id from new_entries where actor_id is not null
    except select unnest(owner_ids));
  if cardinality(other_actors) > 0
    and (select count(*) from users where user_id = any(other_actors)) <> cardinality(other_actors) then
    raise exception 'an entry names an actor who is not there' using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;
