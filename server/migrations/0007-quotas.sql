-- What the house accepts on each number of a period. A roll is one number, its digits in ascending order.

-- Limits on each number of a bet type. A row without period and package is the standing quota of its market; that of a
-- period replaces it there. A package's quota is a lower one for its tickets, compared with what the number has from all
-- packages. Without a row there is no limit.
create table quotas (
  product_code text not null references products,
  period_id int references periods,
  package_code text,
  bet_type text not null,
  -- Accepted at the full rate, then at half the rate.
  full_satang bigint not null check (full_satang >= 0),
  half_satang bigint not null check (half_satang >= 0),
  foreign key (product_code, package_code) references packages (product_code, package_code)
);
create unique index quotas_by_scope on quotas (period_id, product_code, package_code, bet_type) nulls not distinct;
grant select, insert, update (full_satang, half_satang), delete on quotas to megalot_app;

-- The quotas that hold in a period, for all packages (null) and for single ones.
create view quotas_in_force as
select periods.period_id, package_code, bet_type, full_satang, half_satang
from periods cross join lateral (
  select package_code, bet_type, full_satang, half_satang from quotas own
    where own.period_id = periods.period_id and own.product_code = periods.product_code
  union all
  select package_code, bet_type, full_satang, half_satang from quotas standing
    where standing.period_id is null and standing.product_code = periods.product_code and not exists (
      select 1 from quotas own where own.period_id = periods.period_id and own.product_code = periods.product_code
        and own.package_code is not distinct from standing.package_code and own.bet_type = standing.bet_type)
) limits;
grant select on quotas_in_force to megalot_app;

-- Earlier quotas, because whether a number is oversold is judged by the quota in force when its tickets were accepted.
create table quota_changes (
  change_id bigint generated always as identity primary key,
  product_code text not null references products,
  -- Null: the standing quota.
  period_id int references periods,
  bet_type text not null,
  -- The full quota and the half quota; null: removed.
  most_satang bigint,
  -- Set under the period's lock, like a ticket's `placed_at`, so that one of both is earlier.
  at timestamptz not null default clock_timestamp()
);
create index quota_changes_of_period on quota_changes (period_id, bet_type, change_id) where period_id is not null;
create index quota_changes_of_market on quota_changes (product_code, bet_type, change_id) where period_id is null;
-- A period that has had an exception is kept when a timetable changes.
grant select (period_id) on quota_changes to megalot_app;

-- A package's quota does not limit what a number has in all.
create function note_quota() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare changed quotas := case tg_op when 'DELETE' then old else new end;
begin
  if changed.package_code is null then
    insert into quota_changes (product_code, period_id, bet_type, most_satang)
    values (changed.product_code, changed.period_id, changed.bet_type,
      case when tg_op <> 'DELETE' then new.full_satang + new.half_satang end);
  end if;
  return null;
end $$;
create trigger note_quota after insert or update or delete on quotas for each row execute function note_quota();

-- The limit of a number from all packages at an instant; null if there was none.
create function most_at(of_period int, of_bet_type text, instant timestamptz) returns bigint language sql stable
begin atomic
  select coalesce((
    select most_satang from quota_changes where period_id = of_period and bet_type = of_bet_type and at <= instant
    order by change_id desc limit 1
  ), (
    select most_satang from quota_changes
    where product_code = (select product_code from periods where periods.period_id = of_period) and period_id is null
      and bet_type = of_bet_type and at <= instant
    order by change_id desc limit 1
  ));
end;

create trigger notify_live after insert or update or delete on quotas for each statement
  execute function notify_live('{"all_numbers":true}');

-- A rule sets many numbers at once, in single periods or standing in every period of markets. Rules lie one above the
-- other and do not change. Undoing one uncovers the rule below it.
create table limit_rules (
  rule_id bigint generated always as identity primary key,
  actor_id bigint not null references users,
  set_at timestamptz not null default clock_timestamp(),
  -- An amount never raises the market's quota.
  set_to text not null check (set_to in ('open', 'half', 'closed', 'amount')),
  full_satang bigint check (full_satang >= 0),
  half_satang bigint check (half_satang >= 0),
  is_standing boolean not null,
  -- The last day of a standing rule; null: without end.
  until_date date,
  -- Its places, and its numbers by bet type, for display; searches use `limit_rule_rows`.
  product_codes text[] not null,
  -- None for a standing rule.
  period_ids int[] not null,
  numbers jsonb not null,
  reason text,
  undone_at timestamptz,
  undone_by bigint references users,
  undo_reason text,
  constraint limit_rules_have_their_amount
    check ((set_to = 'amount') = (full_satang is not null) and (full_satang is null) = (half_satang is null)),
  constraint limit_rules_end_where_standing check (is_standing or until_date is null),
  constraint limit_rules_undone_by_somebody check ((undone_at is null) = (undone_by is null))
);
grant select,
  insert (actor_id, set_to, full_satang, half_satang, is_standing, until_date, product_codes, period_ids, numbers, reason),
  update (undone_at, undone_by, undo_reason) on limit_rules to megalot_app;

-- The numbers of a rule.
create table limit_rule_rows (
  rule_id bigint not null references limit_rules,
  product_code text not null references products,
  -- Null: every period of the market until the rule's last day.
  period_id int references periods,
  bet_type text not null,
  quota_key text not null check (quota_key ~ '^[0-9]{1,3}$'),
  -- Undone, or past for every period that accepts bets: not read for new periods.
  is_over boolean not null default false
);
create unique index limit_rule_rows_of_rule on limit_rule_rows (rule_id, product_code, period_id, bet_type, quota_key)
  nulls not distinct;
create index limit_rule_rows_by_period on limit_rule_rows (period_id, bet_type, quota_key, rule_id)
  where period_id is not null and not is_over;
create index limit_rule_rows_standing on limit_rule_rows (product_code, bet_type, quota_key, rule_id)
  where period_id is null and not is_over;
grant select, insert (rule_id, product_code, period_id, bet_type, quota_key), update (is_over) on limit_rule_rows to megalot_app;

-- The result of a period's rules, so that batches read one row per number and no rules.
create table number_settings (
  period_id int not null references periods,
  bet_type text not null,
  quota_key text not null check (quota_key ~ '^[0-9]{1,3}$'),
  set_to text not null check (set_to in ('open', 'half', 'closed')),
  -- The number's own amounts; the market's quota applies as well.
  full_satang bigint check (full_satang >= 0),
  half_satang bigint check (half_satang >= 0),
  -- The rule that set it; null if none does (any more).
  rule_id bigint references limit_rules,
  -- The setting before the first rule.
  set_before_rules text not null default 'open' check (set_before_rules in ('open', 'half', 'closed')),
  constraint number_settings_have_their_amount
    check ((full_satang is null) = (half_satang is null) and (full_satang is null or set_to = 'open')),
  primary key (period_id, bet_type, quota_key)
);
-- Each batch asks whether a period has any (`add_to_quotas`).
create index number_settings_with_an_amount on number_settings (period_id) where full_satang is not null;
grant select on number_settings to megalot_app;

-- Whether a number was set in its period without a rule, which keeps the period from being removed. Standing rules are
-- applied again to a new period.
create function is_set_for_period(setting number_settings) returns boolean language sql immutable
return setting.set_before_rules <> 'open' or (setting.rule_id is null and setting.set_to <> 'open');

-- The standing rule that decides on a number on a day: the last one in force. `left_out` is treated as undone.
create function standing_rule(of_market text, of_bet_type text, of_key text, on_day date, left_out bigint)
  returns setof limit_rules language sql stable
begin atomic
  select l.* from limit_rule_rows r join limit_rules l using (rule_id)
  where r.period_id is null and not r.is_over and r.product_code = of_market and r.bet_type = of_bet_type and r.quota_key = of_key
    and l.rule_id is distinct from left_out and (l.until_date is null or l.until_date >= on_day)
  order by r.rule_id desc limit 1;
end;

-- The rule that decides on each number in each period: the last rule for the period, or else the last standing one.
-- `left_out` is treated as undone.
create function deciding_rules(of_periods int[], bet_types text[], quota_keys text[], left_out bigint default null)
  returns table (period_id int, bet_type text, quota_key text, rule_id bigint, is_standing boolean)
  language sql stable set search_path = public, pg_temp as $$
  with given as materialized (
    select bet_type, quota_key from unnest(bet_types, quota_keys) as given (bet_type, quota_key)
  ), asked as materialized (
    select p.period_id, product_code, period_date from periods p where p.period_id = any (of_periods)
  ), standing as materialized (
    -- Once per day, because a market may have hundreds of periods ahead.
    select day.product_code, period_date, given.bet_type, given.quota_key, s.rule_id
    from (select distinct product_code, period_date from asked) day cross join given
      cross join lateral standing_rule(day.product_code, given.bet_type, given.quota_key, period_date, left_out) s
  ), own as materialized (
    select asked.period_id, given.bet_type, given.quota_key, last.rule_id
    from asked cross join given cross join lateral (
      select r.rule_id from limit_rule_rows r
      where r.period_id = asked.period_id and r.bet_type = given.bet_type and r.quota_key = given.quota_key
        and not r.is_over and r.rule_id is distinct from left_out
      order by r.rule_id desc limit 1) last
  )
  select own.*, false from own
  union all
  select asked.period_id, s.bet_type, s.quota_key, s.rule_id, true from asked join standing s using (product_code, period_date)
  where not exists (
    select 1 from own where (own.period_id, own.bet_type, own.quota_key) = (asked.period_id, s.bet_type, s.quota_key))
$$;

-- Writes the result of the rules for numbers of periods. Lock the periods first. Security definer: the application
-- writes no settings itself.
create function apply_limit_rules(to_periods int[], bet_types text[], quota_keys text[]) returns void
  language sql security definer set search_path = public, pg_temp as $$
  with decided as materialized (select * from deciding_rules(to_periods, bet_types, quota_keys)), released as (
    update number_settings s set set_to = set_before_rules, full_satang = null, half_satang = null, rule_id = null
    from unnest(bet_types, quota_keys) as given (bet_type, quota_key)
    where s.period_id = any (to_periods) and s.bet_type = given.bet_type and s.quota_key = given.quota_key
      and s.rule_id is not null
      and not exists (select 1 from decided d
        where (d.period_id, d.bet_type, d.quota_key) = (s.period_id, s.bet_type, s.quota_key))
  )
  insert into number_settings as s (period_id, bet_type, quota_key, set_to, full_satang, half_satang, rule_id)
  select d.period_id, d.bet_type, d.quota_key, case l.set_to when 'amount' then 'open' else l.set_to end,
    l.full_satang, l.half_satang, l.rule_id
  from decided d join limit_rules l using (rule_id) order by 1, 2, 3
  on conflict (period_id, bet_type, quota_key) do update
  set set_to = excluded.set_to, full_satang = excluded.full_satang, half_satang = excluded.half_satang,
    rule_id = excluded.rule_id, set_before_rules = case when s.rule_id is null then s.set_to else s.set_before_rules end
  where s.rule_id is distinct from excluded.rule_id;
  -- 100 periods per notification, which holds at most 8,000 bytes.
  select pg_notify('megalot_live', json_build_object('numbers', json_agg(period_code))::text) from (
    select period_code, row_number() over (order by period_id) / 100 as part from periods where period_id = any (to_periods)
  ) parts group by part
$$;
grant execute on function apply_limit_rules(int[], text[], text[]) to megalot_app;

-- Applies its market's standing rules to a new period. Waits for a standing rule that is being set or undone, which does
-- not see this period. Security definer: the application writes no settings itself.
create function apply_standing_rules() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform pg_advisory_xact_lock_shared(7361211);
  with decided as materialized (
    select distinct on (day.product_code, period_date, r.bet_type, r.quota_key)
      day.product_code, period_date, r.bet_type, r.quota_key, l.rule_id, set_to, full_satang, half_satang
    from (select distinct product_code, period_date from created) day
      join limit_rule_rows r on r.period_id is null and not r.is_over and r.product_code = day.product_code
      join limit_rules l on l.rule_id = r.rule_id and (until_date is null or until_date >= period_date)
    order by 1, 2, 3, 4, r.rule_id desc
  )
  insert into number_settings (period_id, bet_type, quota_key, set_to, full_satang, half_satang, rule_id)
  select p.period_id, bet_type, quota_key, case set_to when 'amount' then 'open' else set_to end, full_satang, half_satang, rule_id
  from created p join decided using (product_code, period_date) order by 1, 2, 3;
  return null;
end $$;
create trigger apply_standing_rules after insert on periods
  referencing new table as created for each statement execute function apply_standing_rules();

-- Accepted amounts, a hundred numbers a row: a busy batch touches every number, and a row for each would cost more than
-- the tickets themselves. `accepted_blocks` shows the amounts, `number_quotas` the numbers as rows.
create table quota_blocks (
  period_id int not null references periods,
  bet_type text not null,
  -- The number divided by 100.
  block int not null check (block between 0 and 9),
  -- Received on live items, from number …00 to …99: whole Baht % 2^15 in elements 1 to 100. Once an amount is larger, or
  -- not whole Baht: Baht / 2^15 % 2^15 in elements 101 to 200, Baht / 2^30 in 201 to 300, satang % 100 in 301 to 400.
  -- The write-ahead log has a row from its first to its last changed byte, so what seldom changes is at the end.
  packed smallint[] not null default array_fill(0::smallint, array[100]),
  constraint quota_blocks_have_a_hundred_numbers check (cardinality(packed) in (100, 400)),
  primary key (period_id, bet_type, block)
) with (fillfactor = 50);
grant select on quota_blocks to megalot_app;

-- Applies to the owner too, because only `add_to_quotas` checks the limits.
create trigger refuse_direct_updates before update on quota_blocks for each statement
  when (current_setting('megalot.adds_to_quotas', true) is distinct from 'yes')
  execute function refuse_change('blocks are changed by add_to_quotas alone', 'quotas_are_added_to');

create view accepted_blocks as
select period_id, bet_type, block, case when cardinality(packed) = 100 then
    array(select baht * 100::bigint from unnest(packed) with ordinality as number (baht, position) order by position)
  else array(
    select (baht + medium * 32768 + high * 1073741824::bigint) * 100 + satang
    from unnest(packed[1:100], packed[101:200], packed[201:300], packed[301:400]) with ordinality
      as number (baht, medium, high, satang, position) order by position
  ) end as accepted_satang
from quota_blocks;
grant select on accepted_blocks to megalot_app;

-- Adds amounts (or releases, if negative) at positions of a packed block, from 1 to 100. No number may exceed `most`. A
-- caller that accepted everything at the full rate also gives `most_at_full`, with `halves`, the positions exempt from it
-- because they were set to pay half, and `position_limits`, the same for single positions. Null: no limit.
-- It has no search_path of its own, which would cost more than the function; that of `add_to_quotas` applies.
create function add_to_block(packed smallint[], positions int[], amounts bigint[], most bigint, most_at_full bigint, halves int[],
  position_limits bigint[]) returns smallint[] language plpgsql immutable as $$
declare
  is_wide boolean := cardinality(packed) = 400;
  -- Limits are checked only above this amount; with `position_limits` for every number.
  lower_most bigint := case when position_limits is null then least(most, most_at_full, 3276799) else -1 end;
  satang bigint;
  -- Without elements 101 to 400.
  lowest bigint;
begin
  for i in 1 .. cardinality(positions) loop
    lowest := packed[positions[i]] * 100 + amounts[i];
    -- Few numbers need more than this one comparison.
    if is_wide or lowest > lower_most or (lowest >= 0 and lowest % 100 = 0) is not true then
      satang := lowest;
      if is_wide then
        satang := satang + packed[positions[i] + 100] * 3276800::bigint + packed[positions[i] + 200] * 107374182400
          + packed[positions[i] + 300];
      end if;
      if (satang >= 0) is not true then
        raise exception 'more would be released than was accepted'
          using errcode = 'check_violation', constraint = 'quota_never_below_nothing';
      end if;
      if satang > most and amounts[i] > 0 then
        raise exception 'a quota would be oversold'
          using errcode = 'check_violation', constraint = 'quota_never_oversold';
      end if;
      if amounts[i] > 0
        and (satang > position_limits[i] or (satang > most_at_full and not (positions[i] = any (coalesce(halves, '{}'))))) then
        raise exception 'a number has passed its full quota meanwhile'
          using errcode = 'check_violation', constraint = 'quota_still_full';
      end if;
      if lowest < 0 or lowest > 3276799 or lowest % 100 <> 0 then
        if not is_wide then
          packed := packed || array_fill(0::smallint, array[300]);
          is_wide := true;
        end if;
        packed[positions[i] + 100] := satang / 3276800 % 32768;
        packed[positions[i] + 200] := satang / 107374182400;
        packed[positions[i] + 300] := satang % 100;
        lowest := satang % 3276800;
      end if;
    end if;
    packed[positions[i]] := (lowest / 100)::smallint;
  end loop;
  return packed;
end $$;

-- Checks numbers with their own amounts, as `add_to_block` does for the market's quota, after the addition.
create function assert_within_amounts(of_period int, bet_types text[], blocks int[], positions text[], amounts text[],
  within_full boolean) returns void language plpgsql stable set search_path = public, pg_temp as $$
begin
  if exists (
    select 1 from unnest(bet_types, blocks, positions, amounts) as given (bet_type, block, positions, amounts)
      cross join lateral unnest(given.positions::int[], given.amounts::bigint[]) as added (position, satang)
      join accepted_blocks b on b.period_id = of_period and b.bet_type = given.bet_type and b.block = given.block
      join number_settings n on n.period_id = of_period and n.bet_type = given.bet_type and n.full_satang is not null
        and n.quota_key::int = given.block * 100 + added.position - 1
    where added.satang > 0 and b.accepted_satang[added.position]
      > case when within_full then n.full_satang else n.full_satang + n.half_satang end
  ) then
    if within_full then
      raise exception 'a number has passed its amount at the full rate meanwhile'
        using errcode = 'check_violation', constraint = 'quota_still_full';
    end if;
    raise exception 'the amount of a number would be oversold'
      using errcode = 'check_violation', constraint = 'quota_never_oversold';
  end if;
end $$;

-- Adds (or releases, if negative) accepted amounts in blocks of a period, whatever was added since the caller read them.
-- `positions` and `amounts`: an array per block, as text; amounts in satang. One caller at a time: callers that rely on
-- what they have read take the same lock before (`lockQuotas`).
--
-- `within_full`: the caller read the blocks without the lock, and accepted each bet whole at the full rate or not at all.
-- If a number has passed its full quota since, nothing is written, unless it was set to pay half.
-- `package_limits`: per block, as text, the most that each number may have, because the caller relied on a package's
-- quota; '{}' or null if it relied on none. Security definer: the application has no right to write a block.
create function add_to_quotas(to_period text, bet_types text[], blocks int[], positions text[], amounts text[], within_full boolean,
  package_limits text[] default null) returns void language plpgsql security definer set search_path = public, pg_temp
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
declare
  id int;
  product text;
  has_halves boolean;
  has_amounts boolean;
  changed int;
begin
  select period_id, product_code into strict id, product from periods where period_code = to_period;
  perform pg_advisory_xact_lock(7361208, id);
  -- Created under the lock, so that no one waits for the block of a caller that waits for the lock.
  insert into quota_blocks (period_id, bet_type, block)
    select distinct id, given.bet_type, given.block from unnest(bet_types, blocks) as given (bet_type, block)
    where not exists (select 1 from quota_blocks b where (b.period_id, b.bet_type, b.block) = (id, given.bet_type, given.block));
  has_halves := within_full and exists (select 1 from number_settings where period_id = id and set_to = 'half');
  has_amounts := exists (select 1 from number_settings where period_id = id and full_satang is not null);
  -- Not as a clause of the function, because only a superuser may set our own setting there. An error undoes it.
  perform set_config('megalot.adds_to_quotas', 'yes', true);
  update quota_blocks b set packed = add_to_block(b.packed, given.positions::int[], given.amounts::bigint[],
      coalesce(own.full_satang + own.half_satang, s.full_satang + s.half_satang),
      case when within_full then coalesce(own.full_satang, s.full_satang) end,
      case when has_halves then array(
        select quota_key::int % 100 + 1 from number_settings n
        where n.period_id = id and n.bet_type = given.bet_type and n.set_to = 'half' and n.quota_key::int / 100 = given.block)
      end,
      case when within_full then nullif(given.position_limits, '{}')::bigint[] end)
    from unnest(bet_types, blocks, positions, amounts, package_limits) as given (bet_type, block, positions, amounts, position_limits)
      left join quotas s on s.period_id is null and s.product_code = product and s.package_code is null and s.bet_type = given.bet_type
      left join quotas own on own.period_id = id and own.product_code = product and own.package_code is null
        and own.bet_type = given.bet_type
    where b.period_id = id and b.bet_type = given.bet_type and b.block = given.block;
  get diagnostics changed = row_count;
  perform set_config('megalot.adds_to_quotas', '', true);
  if changed <> cardinality(blocks) then
    raise exception 'a block of quotas is named twice' using errcode = 'cardinality_violation';
  end if;
  if has_amounts then
    perform assert_within_amounts(id, bet_types, blocks, positions, amounts, within_full);
  end if;
end $$;
grant execute on function add_to_quotas(text, text[], int[], text[], text[], boolean, text[]) to megalot_app;

-- Every number with bets or a setting.
create view number_quotas as
select period_id, bet_type, quota_key, coalesce(set_to, 'open') as set_to, coalesce(accepted, 0) as accepted_satang,
  full_satang as own_full_satang, half_satang as own_half_satang
from (
  select period_id, bet_type, accepted, lpad((block * 100 + position - 1)::text, left(bet_type, 1)::int, '0') as quota_key
  from accepted_blocks cross join unnest(accepted_satang) with ordinality as number (accepted, position)
  where accepted > 0
) bet_on full join number_settings using (period_id, bet_type, quota_key);
grant select on number_quotas to megalot_app;
