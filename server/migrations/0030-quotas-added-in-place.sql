-- Two arrays are added up place by place where they are unpacked; through a table of rows, sorted, it took half as long again.
create or replace function add_to_quotas(to_period text, bet_types text[], blocks int[], changes text[], within_full boolean)
  returns void language plpgsql set search_path = public, pg_temp
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
declare
  id int;
  product text;
  changed int;
  -- Blocks in which some number has more than its full quota.
  over_full int;
begin
  select period_id, product_code into strict id, product from periods where period_code = to_period;
  perform pg_advisory_xact_lock(7361208, id);
  with added as (
    update quota_blocks b set accepted_satang = array(select unnest(b.accepted_satang) + unnest(given.change::bigint[]))
      from unnest(bet_types, blocks, changes) as given (bet_type, block, change)
      where b.period_id = id and b.bet_type = given.bet_type and b.block = given.block
      returning b.bet_type, b.accepted_satang
  )
  select count(*), count(*) filter (where not (s.full_satang >= all (added.accepted_satang)))
    into changed, over_full
    from added left join quota_settings s on s.product_code = product and s.bet_type = added.bet_type;
  if changed <> cardinality(blocks) then
    raise exception 'a block of quotas is not there' using errcode = 'foreign_key_violation';
  end if;
  if within_full and over_full > 0 and exists (
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
