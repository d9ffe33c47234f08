-- What the house accepts on each number of a period: summed up by number (a roll by its digits in ascending order), limited by
-- the quota of the market, or set by hand.

-- Limits on each number of a bet type. A row without a period and package is the standing quota of its market. The quota of a
-- period replaces the standing one there. That of a package is a lower one for the package's tickets: they are accepted until the
-- number has that much from all packages. No row: no limit.
create table quotas (
  product_code text not null references products,
  period_id int references periods,
  package_code text,
  bet_type text not null,
  -- Accepted at the full rate; what comes after that at half the rate.
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

-- What quotas were, written by triggers alone: whether a number is oversold is judged by the quota that held when its tickets were
-- accepted. A period's own row says that it has an exception, or has none any more.
create table quota_changes (
  change_id bigint generated always as identity primary key,
  product_code text not null references products,
  -- Null: the standing quota.
  period_id int references periods,
  bet_type text not null,
  -- The full quota and the half quota; null: removed.
  most_satang bigint,
  -- Under the lock of the period, as `placed_at` of a ticket: one of both is before the other.
  at timestamptz not null default clock_timestamp()
);
create index quota_changes_of_period on quota_changes (period_id, bet_type, change_id) where period_id is not null;
create index quota_changes_of_market on quota_changes (product_code, bet_type, change_id) where period_id is null;
-- A period that has had an exception is kept when a timetable changes.
grant select (period_id) on quota_changes to megalot_app;

-- Quotas of packages are not noted: they are no promise about what a number has in all.
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

-- The most that a number of a period could have of all packages at an instant; null: there was no limit.
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

-- What the office sets on numbers, many at once: a rule holds one setting for numbers of periods, or standing for every period of
-- markets. Rules lie one above the other, and none is changed: an undone rule is left out, and what lies below it shows again.
create table limit_rules (
  rule_id bigint generated always as identity primary key,
  actor_id bigint not null references users,
  set_at timestamptz not null default clock_timestamp(),
  -- amount: no more than `full_satang` at the full rate, and then `half_satang` at half; it never raises the market's quota.
  set_to text not null check (set_to in ('open', 'half', 'closed', 'amount')),
  full_satang bigint check (full_satang >= 0),
  half_satang bigint check (half_satang >= 0),
  is_standing boolean not null,
  -- The last day of a standing rule; null: without end.
  until_date date,
  -- Where it holds, and its numbers by bet type, as it is shown: `limit_rule_rows` has each number in each place, to be found by.
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
-- A rule is not new and undone, nor set earlier than it is.
grant select,
  insert (actor_id, set_to, full_satang, half_satang, is_standing, until_date, product_codes, period_ids, numbers, reason),
  update (undone_at, undone_by, undo_reason) on limit_rules to megalot_app;

-- The numbers of a rule.
create table limit_rule_rows (
  rule_id bigint not null references limit_rules,
  product_code text not null references products,
  -- Null: every period of the market that the rule lasts for.
  period_id int references periods,
  bet_type text not null,
  quota_key text not null check (quota_key ~ '^[0-9]{1,3}$'),
  -- The rule is undone, or no period that takes bets has its days any more: it decides on nothing, and is not read for new periods.
  is_over boolean not null default false
);
create unique index limit_rule_rows_of_rule on limit_rule_rows (rule_id, product_code, period_id, bet_type, quota_key)
  nulls not distinct;
create index limit_rule_rows_by_period on limit_rule_rows (period_id, bet_type, quota_key, rule_id)
  where period_id is not null and not is_over;
create index limit_rule_rows_standing on limit_rule_rows (product_code, bet_type, quota_key, rule_id)
  where period_id is null and not is_over;
grant select, insert (rule_id, product_code, period_id, bet_type, quota_key), update (is_over) on limit_rule_rows to megalot_app;

-- The day of the first period of a market that takes bets now or later, made or not; at the latest yesterday in Asia/Bangkok: a period may
-- be made whose draw is today and whose day is the one before.
create function first_day_to_bet(of_market text) returns date language sql stable
return least((clock_timestamp() at time zone 'Asia/Bangkok')::date - 1,
  (select min(period_date) from periods where product_code = of_market and outcome = 'pending' and close_at > clock_timestamp()));

-- What holds for numbers of a period: the uppermost of its rules. Written by `apply_limit_rules` and, for new periods, by
-- `apply_standing_rules`, so that batches read one row for each number and no rules.
create table number_settings (
  period_id int not null references periods,
  bet_type text not null,
  quota_key text not null check (quota_key ~ '^[0-9]{1,3}$'),
  set_to text not null check (set_to in ('open', 'half', 'closed')),
  -- An amount for this number, at the full rate and then at half. The market's quota holds besides.
  full_satang bigint check (full_satang >= 0),
  half_satang bigint check (half_satang >= 0),
  -- The rule that set it; null: no rule, as in the history of a demo, or none any more.
  rule_id bigint references limit_rules,
  -- What held before the first rule.
  set_before_rules text not null default 'open' check (set_before_rules in ('open', 'half', 'closed')),
  constraint number_settings_have_their_amount
    check ((full_satang is null) = (half_satang is null) and (full_satang is null or set_to = 'open')),
  primary key (period_id, bet_type, quota_key)
);
-- Each batch asks whether there are any (`add_to_quotas`).
create index number_settings_with_an_amount on number_settings (period_id) where full_satang is not null;
grant select on number_settings to megalot_app;

-- Whether a number is set for its period itself, beside the rules: then the period is not removed. What standing rules say comes back with
-- it (`apply_standing_rules`), and a rule of the period itself refers to it.
create function is_set_for_period(setting number_settings) returns boolean language sql immutable
return setting.set_before_rules <> 'open' or (setting.rule_id is null and setting.set_to <> 'open');

-- The standing rule of a market that decides on a number on a day, if one does: the last one that is in force then.
-- `left_out`: a rule that is treated as undone.
create function standing_rule(of_market text, of_bet_type text, of_key text, on_day date, left_out bigint)
  returns setof limit_rules language sql stable
begin atomic
  select l.* from limit_rule_rows r join limit_rules l using (rule_id)
  where r.period_id is null and not r.is_over and r.product_code = of_market and r.bet_type = of_bet_type and r.quota_key = of_key
    and l.rule_id is distinct from left_out and (l.until_date is null or l.until_date >= on_day)
  order by r.rule_id desc limit 1;
end;

-- The rule that decides on each of the given numbers in each of the given periods, if one does. A rule for the period goes
-- before standing ones, whenever these were set: it is an exception. Of each kind the last rule decides.
-- `left_out`: a rule that is treated as undone.
create function deciding_rules(of_periods int[], bet_types text[], quota_keys text[], left_out bigint default null)
  returns table (period_id int, bet_type text, quota_key text, rule_id bigint, is_standing boolean)
  language sql stable set search_path = public, pg_temp as $$
  with given as materialized (
    select bet_type, quota_key from unnest(bet_types, quota_keys) as given (bet_type, quota_key)
  ), asked as materialized (
    select p.period_id, product_code, period_date from periods p where p.period_id = any (of_periods)
  ), standing as materialized (
    -- Once for all periods of a day: a market may have hundreds ahead.
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

-- Writes what the rules say of the given numbers in the given periods, and what held before where no rule says anything any
-- more. Lock the periods first.
-- Security definer: the application writes no settings itself.
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
  -- 100 periods a notification, which holds at most 8,000 bytes: a standing rule concerns all periods that are ahead.
  select pg_notify('megalot_live', json_build_object('numbers', json_agg(period_code))::text) from (
    select period_code, row_number() over (order by period_id) / 100 as part from periods where period_id = any (to_periods)
  ) parts group by part
$$;
revoke execute on function apply_limit_rules(int[], text[], text[]) from public;
grant execute on function apply_limit_rules(int[], text[], text[]) to megalot_app;

-- A new period has the standing rules of its market from its first instant. A standing rule that is being set or undone is
-- waited for: it does not see this period, or this period sees it. No rule is for the period itself yet.
-- Security definer: the application writes no settings itself.
create function apply_standing_rules() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform pg_advisory_xact_lock_shared(7361211);
  with decided as materialized (
    -- All rows of the market at once, for all periods of a day.
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

-- What was accepted, a hundred numbers a row: a busy batch touches every number, and a row for each would cost more than the
-- tickets themselves. `accepted_blocks` shows the amounts as they are, `number_quotas` the numbers as rows.
create table quota_blocks (
  period_id int not null references periods,
  bet_type text not null,
  -- The number (of a roll its digits in ascending order) divided by 100.
  block int not null check (block between 0 and 9),
  -- Received on live items, by number of the block, from …00 to …99. Never below 0 (`add_to_block`).
  -- Whole Baht % 2^15 in elements 1 to 100. From the first amount that is larger, or is no whole Baht, on: Baht / 2^15 % 2^15 in elements 101
  -- to 200, Baht / 2^30 in 201 to 300, and the satang of a part of a Baht in 301 to 400. A batch writes most numbers of a block, and the log has
  -- what it changed, from its first to its last byte: so two bytes a number, and what seldom changes at the end.
  packed smallint[] not null default array_fill(0::smallint, array[100]),
  constraint quota_blocks_have_a_hundred_numbers check (cardinality(packed) in (100, 400)),
  primary key (period_id, bet_type, block)
) with (fillfactor = 50);
-- Only `add_to_quotas` makes and changes it.
grant select on quota_blocks to megalot_app;

-- For the owner too: nothing else checks the limits.
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

-- A packed block with amounts added (or, below 0, released) at some of its positions, from 1 to 100.
-- `most`: what no number may grow beyond; null: no limit. `most_at_full`: the same for a caller that has accepted everything at
-- the full rate; `halves`: positions exempt from it, because they were set by hand to pay half. `position_limits`: the same as
-- `most_at_full` for each of the positions alone; null: no limit.
-- Without a search_path of its own, which would cost more than the function: that of `add_to_quotas` holds.
create function add_to_block(packed smallint[], positions int[], amounts bigint[], most bigint, most_at_full bigint, halves int[],
  position_limits bigint[]) returns smallint[] language plpgsql immutable as $$
declare
  is_wide boolean := cardinality(packed) = 400;
  -- The limits are looked at only above this amount; with `position_limits` for every number.
  lower_most bigint := case when position_limits is null then least(most, most_at_full, 3276799) else -1 end;
  satang bigint;
  -- Without what elements 101 to 400 hold.
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

-- Numbers with an amount of their own: as `add_to_block` does for the market's quota, after the amounts were added.
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

-- Adds what was accepted (or, below 0, released) to blocks of a period, whatever was added since the caller read them.
-- `positions` and `amounts` hold an array for each block, as text: where in the block, and how much in satang.
-- One caller at a time: callers that must rely on what they have read take the same lock before they read (`lockQuotas`).
--
-- `within_full`: the caller has read the blocks without the lock and has accepted each bet whole at the full rate or not at
-- all. This stays right as long as no number passes its full quota; where one does, nothing is written. A number that was set
-- to pay half by hand may pass it.
-- `package_limits`: for each block, as text, the most that each number may have now, because the caller relied on the quota of a package;
-- '{}': it relied on none there, null: nowhere.
-- Security definer: the application has no right to write a block.
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
  -- The first bets on these numbers. Made under the lock, so that nobody waits for the block of another who waits for the lock, and with what
  -- is accepted alone: a ticket that is refused writes nothing.
  insert into quota_blocks (period_id, bet_type, block)
    select distinct id, given.bet_type, given.block from unnest(bet_types, blocks) as given (bet_type, block)
    where not exists (select 1 from quota_blocks b where (b.period_id, b.bet_type, b.block) = (id, given.bet_type, given.block));
  has_halves := within_full and exists (select 1 from number_settings where period_id = id and set_to = 'half');
  has_amounts := exists (select 1 from number_settings where period_id = id and full_satang is not null);
  -- Not as a clause of the function: only a superuser may name a setting of ours there. An error undoes it.
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
revoke execute on function add_to_quotas(text, text[], int[], text[], text[], boolean, text[]) from public;
grant execute on function add_to_quotas(text, text[], int[], text[], text[], boolean, text[]) to megalot_app;

-- Every number that was bet on or set by hand.
create view number_quotas as
select period_id, bet_type, quota_key, coalesce(set_to, 'open') as set_to, coalesce(accepted, 0) as accepted_satang,
  full_satang as own_full_satang, half_satang as own_half_satang
from (
  select period_id, bet_type, accepted, lpad((block * 100 + position - 1)::text, left(bet_type, 1)::int, '0') as quota_key
  from accepted_blocks cross join unnest(accepted_satang) with ordinality as number (accepted, position)
  where accepted > 0
) bet_on full join number_settings using (period_id, bet_type, quota_key);
grant select on number_quotas to megalot_app;
