-- A batch touches some ten numbers of a block. Only these are added to and looked at, in one go, instead of all hundred in
-- four: it took a tenth of all that a ticket costs the database.
--
-- `add_to_quotas` becomes the only way to a block, for the owner too, so that nothing else need be looked at afterwards.

drop trigger refuse_oversold on quota_blocks;
drop function refuse_oversold();
create function refuse_other_ways() returns trigger language plpgsql as $$
begin
  if current_setting('megalot.adds_to_quotas', true) is distinct from 'yes' then
    raise exception 'blocks are changed by add_to_quotas alone'
      using errcode = 'check_violation', constraint = 'quotas_are_added_to';
  end if;
  return null;
end $$;
create trigger refuse_other_ways before update on quota_blocks for each statement execute function refuse_other_ways();
drop function add_to_quotas(text, text[], int[], text[], boolean);
revoke update on quota_blocks from megalot_app;
-- What `accepted_with` adds to is never below 0. That a block keeps its hundred numbers is still checked for each row.
alter table quota_blocks drop constraint quota_blocks_accepted_satang_check,
  add constraint quota_blocks_have_a_hundred_numbers check (cardinality(accepted_satang) = 100);

-- A block with amounts added (or, below 0, released) at some of its places, from 1 to 100.
-- It has no search_path of its own, which would cost more than it does: that of its caller holds.
-- `most`: what no number may grow beyond; null: no limit. `most_at_full`: the same for whoever has decided that all is taken
-- at the full rate; `halves`: places that this does not concern, because they were set by hand to pay half.
create function accepted_with(accepted bigint[], places int[], amounts bigint[], most bigint, most_at_full bigint, halves int[])
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

-- Adds what was accepted (or, below 0, released) to blocks of a period, whatever else has been added since they were read.
-- `places` and `amounts` hold for each block an array of as many numbers, as text: where in the block, and how much in satang.
-- One caller at a time: the lock is that of `holdQuotas`, which whoever must rely on what it has read takes before reading.
--
-- Whoever read the blocks without the lock has decided that every bet is taken whole at the full rate, or not at all: that
-- stays right however the sums have moved, as long as no number passes its full quota. `within_full` asks for just this to be
-- looked at, and for nothing to be written where it is not so. A number that is set to pay half by hand may pass it.
-- Runs as the owner: nobody else can write a block.
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
  update quota_blocks b set accepted_satang = accepted_with(b.accepted_satang, given.places::int[], given.amounts::bigint[],
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

-- What runs as the owner is for the product alone, whoever else may come to this database.
revoke execute on function add_to_quotas(text, text[], int[], text[], text[], boolean), lower_owed(),
  give_way(int, bigint[], bigint[]) from public;
grant execute on function add_to_quotas(text, text[], int[], text[], text[], boolean), lower_owed(),
  give_way(int, bigint[], bigint[]) to megalot_app;
