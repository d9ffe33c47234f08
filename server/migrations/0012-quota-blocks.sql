-- What was accepted on the numbers of a period, in blocks of a hundred numbers: a busy batch touches every number, and a
-- row a number cost more than the tickets themselves. `number_quotas` shows them one by one.

create table quota_blocks (
  period_id int not null references periods,
  bet_type text not null,
  -- The number (for rolls its digits in ascending order) divided by 100.
  block int not null check (block between 0 and 9),
  -- The sum received of all live items on each number of the block, from …00 to …99.
  accepted_satang bigint[] not null default array_fill(0::bigint, array[100])
    check (cardinality(accepted_satang) = 100 and 0 <= all (accepted_satang)),
  primary key (period_id, bet_type, block)
) with (fillfactor = 50);

-- Numbers that somebody has set by hand.
create table number_settings (
  period_id int not null references periods,
  bet_type text not null,
  quota_key text not null check (quota_key ~ '^[0-9]{1,3}$'),
  set_to text not null check (set_to in ('open', 'half', 'closed')),
  primary key (period_id, bet_type, quota_key)
);

insert into quota_blocks (period_id, bet_type, block, accepted_satang)
select period_id, bet_type, block,
  array(select coalesce(sum(accepted_satang), 0)::bigint from generate_series(0, 99) place
    left join number_quotas old on old.period_id = blocks.period_id and old.bet_type = blocks.bet_type
      and old.quota_key::int = blocks.block * 100 + place group by place order by place)
from (select distinct period_id, bet_type, quota_key::int / 100 as block from number_quotas) blocks;
insert into number_settings (period_id, bet_type, quota_key, set_to)
select period_id, bet_type, quota_key, set_to from number_quotas where set_to <> 'open';

drop table number_quotas;
drop function refuse_oversold();

-- The last line of defence: what grows must not pass the limit in force, whatever the code above believes.
create function refuse_oversold() returns trigger language plpgsql as $$
begin
  if exists (
    select 1 from new_blocks n join old_blocks o using (period_id, bet_type, block)
      join periods p using (period_id) join quota_settings s using (product_code, bet_type)
    where not (s.full_satang + s.half_satang >= all (n.accepted_satang))
      and exists (
        select 1 from unnest(n.accepted_satang, o.accepted_satang) as number (now_satang, before_satang)
        where now_satang > before_satang and now_satang > s.full_satang + s.half_satang)
  ) then
    raise exception 'a quota would be oversold' using errcode = 'check_violation', constraint = 'quota_never_oversold';
  end if;
  return null;
end $$;
create trigger refuse_oversold after update on quota_blocks
  referencing new table as new_blocks old table as old_blocks for each statement execute function refuse_oversold();

-- Every number that was bet on or set by hand.
create view number_quotas as
select period_id, bet_type, quota_key, coalesce(set_to, 'open') as set_to, coalesce(accepted, 0) as accepted_satang
from (
  select period_id, bet_type, accepted, lpad((block * 100 + place - 1)::text, left(bet_type, 1)::int, '0') as quota_key
  from quota_blocks cross join unnest(accepted_satang) with ordinality as number (accepted, place)
  where accepted > 0
) bet_on full join number_settings using (period_id, bet_type, quota_key);

-- A block begins with nothing accepted; only an update, which is checked, can make it more.
grant select, insert (period_id, bet_type, block), update (accepted_satang) on quota_blocks to megalot_app;
grant select, insert, update (set_to) on number_settings to megalot_app;
grant select on number_quotas to megalot_app;
