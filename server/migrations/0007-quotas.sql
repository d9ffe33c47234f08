-- What the house accepts on each number of a period: summed up by number (a roll by its digits in ascending order), limited by
-- the market's settings, or set by hand.

-- No row: no limit.
create table quota_settings (
  product_code text not null references products,
  bet_type text not null,
  -- Accepted at the full rate; what comes after that at half the rate.
  full_satang bigint not null check (full_satang >= 0),
  half_satang bigint not null check (half_satang >= 0),
  primary key (product_code, bet_type)
);
grant select, insert, update on quota_settings to megalot_app;

-- Nothing that notifies is written when a ticket is placed (see `notify_live`).
create trigger notify_live after insert or update or delete on quota_settings for each statement
  execute function notify_live('{"all_numbers":true}');

-- Numbers that were set by hand.
create table number_settings (
  period_id int not null references periods,
  bet_type text not null,
  quota_key text not null check (quota_key ~ '^[0-9]{1,3}$'),
  set_to text not null check (set_to in ('open', 'half', 'closed')),
  primary key (period_id, bet_type, quota_key)
);
grant select, insert, update (set_to) on number_settings to megalot_app;

create function notify_live_numbers() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare
  codes text[] := array(select period_code from periods where period_id in (select period_id from changed));
begin
  -- `insert … on conflict do update` fires both triggers, one of them without a row.
  if cardinality(codes) > 0 then
    perform pg_notify('megalot_live', json_build_object('numbers', codes)::text);
  end if;
  return null;
end $$;
create trigger notify_live_inserted after insert on number_settings
  referencing new table as changed for each statement execute function notify_live_numbers();
create trigger notify_live_updated after update on number_settings
  referencing new table as changed for each statement execute function notify_live_numbers();

-- What was accepted, a hundred numbers a row: a busy batch touches every number, and a row for each would cost more than the
-- tickets themselves. `number_quotas` shows the numbers as rows.
create table quota_blocks (
  period_id int not null references periods,
  bet_type text not null,
  -- The number (of a roll its digits in ascending order) divided by 100.
  block int not null check (block between 0 and 9),
  -- Received on live items, by number of the block, from …00 to …99. Never below 0 (`add_to_block`).
  accepted_satang bigint[] not null default array_fill(0::bigint, array[100]),
  constraint quota_blocks_have_a_hundred_numbers check (cardinality(accepted_satang) = 100),
  primary key (period_id, bet_type, block)
) with (fillfactor = 50);
-- A block starts with nothing accepted; only `add_to_quotas` changes it.
grant select, insert (period_id, bet_type, block) on quota_blocks to megalot_app;

-- For the owner too: nothing else checks the limits.
create function refuse_direct_updates() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if current_setting('megalot.adds_to_quotas', true) is distinct from 'yes' then
    raise exception 'blocks are changed by add_to_quotas alone'
      using errcode = 'check_violation', constraint = 'quotas_are_added_to';
  end if;
  return null;
end $$;
create trigger refuse_direct_updates before update on quota_blocks for each statement execute function refuse_direct_updates();

-- A block with amounts added (or, below 0, released) at some of its places, from 1 to 100.
-- `most`: what no number may grow beyond; null: no limit. `most_at_full`: the same for a caller that has accepted everything at
-- the full rate; `halves`: places exempt from it, because they were set by hand to pay half.
-- Without a search_path of its own, which would cost more than the function: that of `add_to_quotas` holds.
create function add_to_block(accepted bigint[], places int[], amounts bigint[], most bigint, most_at_full bigint, halves int[])
  returns bigint[] language plpgsql immutable as $$
declare
  lower_most bigint := least(most, most_at_full);
  satang bigint;
begin
  for i in 1 .. cardinality(places) loop
    satang := accepted[places[i]] + amounts[i];
    if satang > lower_most or (satang >= 0) is not true then
      if (satang >= 0) is not true then
        raise exception 'more would be released than was accepted'
          using errcode = 'check_violation', constraint = 'quota_never_below_nothing';
      end if;
      if satang > most and amounts[i] > 0 then
        raise exception 'a quota would be oversold'
          using errcode = 'check_violation', constraint = 'quota_never_oversold';
      end if;
      if satang > most_at_full and amounts[i] > 0 and not (places[i] = any (coalesce(halves, '{}'))) then
        raise exception 'a number has passed its full quota meanwhile'
          using errcode = 'check_violation', constraint = 'quota_still_full';
      end if;
    end if;
    accepted[places[i]] := satang;
  end loop;
  return accepted;
end $$;

-- Adds what was accepted (or, below 0, released) to blocks of a period, whatever was added since the caller read them.
-- `places` and `amounts` hold an array for each block, as text: where in the block, and how much in satang.
-- One caller at a time: callers that must rely on what they have read take the same lock before they read (`lockQuotas`).
--
-- `within_full`: the caller has read the blocks without the lock and has accepted each bet whole at the full rate or not at
-- all. This stays right as long as no number passes its full quota; where one does, nothing is written. A number that was set
-- to pay half by hand may pass it.
-- Security definer: the application has no right to write a block.
create function add_to_quotas(to_period text, bet_types text[], blocks int[], places text[], amounts text[], within_full boolean)
  returns void language plpgsql security definer set search_path = public, pg_temp
  set megalot.adds_to_quotas = 'yes'
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
declare
  id int;
  product text;
  has_halves boolean;
  changed int;
begin
  select period_id, product_code into strict id, product from periods where period_code = to_period;
  perform pg_advisory_xact_lock(7361208, id);
  has_halves := within_full and exists (select 1 from number_settings where period_id = id and set_to = 'half');
  update quota_blocks b set accepted_satang = add_to_block(b.accepted_satang, given.places::int[], given.amounts::bigint[],
      s.full_satang + s.half_satang, case when within_full then s.full_satang end,
      case when has_halves then array(
        select quota_key::int % 100 + 1 from number_settings n
        where n.period_id = id and n.bet_type = given.bet_type and n.set_to = 'half' and n.quota_key::int / 100 = given.block)
      end)
    from unnest(bet_types, blocks, places, amounts) as given (bet_type, block, places, amounts)
      left join quota_settings s on s.product_code = product and s.bet_type = given.bet_type
    where b.period_id = id and b.bet_type = given.bet_type and b.block = given.block;
  get diagnostics changed = row_count;
  if changed <> cardinality(blocks) then
    raise exception 'a block of quotas is not there' using errcode = 'foreign_key_violation';
  end if;
end $$;
revoke execute on function add_to_quotas(text, text[], int[], text[], text[], boolean) from public;
grant execute on function add_to_quotas(text, text[], int[], text[], text[], boolean) to megalot_app;

-- Every number that was bet on or set by hand.
create view number_quotas as
select period_id, bet_type, quota_key, coalesce(set_to, 'open') as set_to, coalesce(accepted, 0) as accepted_satang
from (
  select period_id, bet_type, accepted, lpad((block * 100 + place - 1)::text, left(bet_type, 1)::int, '0') as quota_key
  from quota_blocks cross join unnest(accepted_satang) with ordinality as number (accepted, place)
  where accepted > 0
) bet_on full join number_settings using (period_id, bet_type, quota_key);
grant select on number_quotas to megalot_app;
