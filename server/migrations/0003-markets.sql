-- Markets (products) and their periods; packages ("reward rates"), their terms, and users' packages; maintenance.

create table products (
  product_code text primary key check (product_code ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  name_th text not null,
  name_en text not null,
  group_code text not null check (group_code in ('government', 'lao', 'hanoi', 'malay', 'stock', 'yeekee')),
  country_code text not null,
  bet_types text[] not null,
  -- What the market publishes as its result (`ResultForm` of `rules/src/draw-result.ts`).
  result_form text not null
    check (result_form in ('government', 'four_to_six_digits', 'five_digits_and_two', 'four_digits', 'three_and_two')),
  -- When its periods open, close and are drawn, in Asia/Bangkok; null if periods are created by hand.
  timetable jsonb,
  -- What 3bottom wins on: the back three only, or the front three as well.
  bottom3_set text not null default 'back' check (bottom3_set in ('back', 'front+back')),
  is_enabled boolean not null default true,
  -- When members may cancel tickets; a round of fifteen minutes has other rules than a monthly draw (§4 of the domain
  -- rules).
  cancel_rules jsonb not null
    default '{"window_minutes": 30, "max_tickets": 10, "before_close_minutes": 5}'
    constraint cancel_rules_are_whole check (coalesce(
      (cancel_rules->>'window_minutes')::int between 0 and 1440
      and (cancel_rules->>'max_tickets')::int between 0 and 1000
      and (cancel_rules->>'before_close_minutes')::int between 0 and 1440, false)),
  position int not null,
  -- Bets on front and back numbers need a result that has them.
  constraint products_publish_their_bets check (result_form = 'government' or not bet_types && array['3front', '3bottom'])
);
-- No insert: the application creates no markets. 0021 grants timetables. The application does not change other columns
-- of a market, such as the numbers on which 3bottom wins.
grant select, update (timetable, is_enabled, cancel_rules) on products to megalot_app;

create table periods (
  period_id int generated always as identity primary key,
  period_code text not null unique,
  product_code text not null references products,
  period_date date not null,
  round int check (round > 0),
  open_at timestamptz not null,
  -- All bets of the period use the shares of this instant: its opening, or its creation if that is later
  -- (`guard_period`).
  shares_at timestamptz not null,
  close_at timestamptz not null,
  draw_at timestamptz not null,
  -- settling: the result is agreed and wins are being paid. voiding: two people have agreed, and stakes are being
  -- refunded.
  outcome text not null default 'pending' check (outcome in ('pending', 'settling', 'settled', 'voiding', 'void')),
  -- Copied from the market, so that later changes of the market do not change bets already accepted.
  bottom3_set text not null check (bottom3_set in ('back', 'front+back')),
  -- Created by a person outside the timetable: the demo sets no numbers in it and enters no result for it.
  is_manual boolean not null default false,
  -- When the close was first noticed, set once by the database. The period does not reopen if the clock then steps back
  -- (`latch_closed_periods`).
  closed_at timestamptz,
  constraint periods_in_order check (open_at <= close_at and close_at <= draw_at)
);
create index periods_by_product on periods (product_code, close_at);
create index periods_by_date on periods (period_date);
create index periods_to_settle on periods (period_id) where outcome = 'settling';
create index periods_to_void on periods (period_id) where outcome = 'voiding';
create index periods_pending on periods (close_at) where outcome = 'pending';
create index periods_to_latch on periods (close_at) where outcome = 'pending' and closed_at is null;
grant select, insert (period_code, product_code, period_date, round, open_at, close_at, draw_at, is_manual),
  update (open_at, close_at, draw_at, outcome) on periods to megalot_app;

-- Whether the numbers of a period's day may already be known: another period of the day is drawn or has its result, or
-- is to be drawn and the timetable has no second draw (`listPeriodsOfDraws`). In a market with rounds, each has its own
-- draw.
create function is_draw_known(made periods) returns boolean language plpgsql volatile set search_path = public, pg_temp as $$
begin
  return exists (
    select 1 from periods other left join awards using (period_id) join products p on p.product_code = other.product_code
    where other.product_code = made.product_code and other.period_date = made.period_date and other.period_code <> made.period_code
      and (other.draw_at <= clock_timestamp() or awards.state = 'agreed'
        or not made.is_manual and other.outcome not in ('voiding', 'void'))
      and not coalesce(case when made.period_date >= p.next_timetable_from then p.next_timetable else p.timetable end ? 'rounds', false));
end $$;

-- The application creates no period for a past draw, because anyone who knows the numbers would win. A period is closed
-- once, and its times change only before. Its outcome only moves forward, except that an agreed correction settles a
-- settled period again.
create function guard_period() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    if not acts_as_owner() and is_draw_known(new) then
      raise exception 'the draw of the period may be known' using errcode = 'check_violation', constraint = 'periods_before_draw';
    end if;
    select bottom3_set into strict new.bottom3_set from products where product_code = new.product_code;
  end if;
  -- A period created after its opening, for example when its market is switched on, does not use the earlier shares:
  -- terms may have been raised since, without a check against them. Creating or moving a period locks its market's row
  -- until the commit, and so does raising terms, so neither misses the other. The owner writes past periods.
  if tg_op = 'INSERT' or new.open_at <> old.open_at then
    new.shares_at := case when acts_as_owner() then new.open_at else greatest(new.open_at, clock_timestamp()) end;
  end if;
  if tg_op = 'INSERT' then
    return new;
  end if;
  if new.closed_at is distinct from old.closed_at and old.closed_at is not null
    or (old.closed_at is not null or old.close_at <= clock_timestamp())
      and (new.close_at <> old.close_at or not acts_as_owner() and (new.open_at, new.draw_at) <> (old.open_at, old.draw_at)) then
    raise exception 'a period is closed once' using errcode = 'check_violation', constraint = 'periods_close_once';
  end if;
  -- Its tickets were accepted with the shares of its opening.
  if new.open_at <> old.open_at and old.open_at <= clock_timestamp() and not acts_as_owner() then
    raise exception 'a period is opened once' using errcode = 'check_violation', constraint = 'periods_open_once';
  end if;
  if new.outcome <> old.outcome and not (
    (old.outcome, new.outcome) in (('pending', 'settling'), ('settling', 'settled'))
    or ((old.outcome, new.outcome) = ('settled', 'settling') and exists (
      select 1 from award_corrections c where c.period_id = old.period_id and c.state = 'agreed'))
    or ((old.outcome, new.outcome) = ('pending', 'voiding') and is_executed_now('void_period', 'period:' || old.period_code))
    or ((old.outcome, new.outcome) = ('voiding', 'void') and exists (
      select 1 from period_voids v where v.period_id = old.period_id and v.finished_at is not null))) then
    raise exception 'a period cannot go from % to %', old.outcome, new.outcome
      using errcode = 'check_violation', constraint = 'periods_go_forward';
  end if;
  if new.close_at <= clock_timestamp() then
    new.closed_at := coalesce(new.closed_at, clock_timestamp());
  end if;
  return new;
end $$;
create trigger guard_period before insert or update on periods for each row execute function guard_period();

-- Records the close of every period whose time has come. Each node calls it every second. Skips locked periods, for
-- example while they are closed early or voided, which record it themselves.
create function latch_closed_periods() returns int language sql security definer set search_path = public, pg_temp as $$
  with due as materialized (
    select period_id from periods where outcome = 'pending' and closed_at is null and close_at <= clock_timestamp()
    for no key update skip locked
  ), latched as (
    update periods set closed_at = clock_timestamp() from due where periods.period_id = due.period_id returning 1
  )
  select count(*)::int from latched
$$;
grant execute on function latch_closed_periods() to megalot_app;

create trigger notify_live after insert or delete or update of open_at, close_at, outcome on periods for each row
  execute function notify_live('{"markets":true}');
create trigger notify_live_results after update of outcome on periods for each row
  when (new.outcome in ('settled', 'void') and new.outcome <> old.outcome) execute function notify_live('{"results":true}');

create table packages (
  package_id int generated always as identity primary key,
  product_code text not null references products,
  package_code text not null check (package_code ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  name text not null,
  max_items int not null default 500 check (max_items between 1 and 2000),
  position int not null,
  unique (product_code, package_code)
);
grant select, update (max_items) on packages to megalot_app;

-- Current terms of packages.
create table package_terms (
  package_id int not null references packages,
  bet_type text not null,
  -- Payout per stake in hundredths; discount in hundredths of a percent.
  rate int not null check (rate between 0 and 10000000),
  discount_rate int not null check (discount_rate between 0 and 10000),
  min_satang bigint not null check (min_satang > 0),
  max_satang bigint not null,
  max_per_number_satang bigint not null,
  is_on boolean not null default true,
  constraint package_terms_limits_rise check (min_satang <= max_satang and max_satang <= max_per_number_satang),
  primary key (package_id, bet_type)
);
grant select, update (rate, discount_rate, min_satang, max_satang, max_per_number_satang, is_on) on package_terms to megalot_app;

-- Every set of terms that a package has offered, with the instant when it took effect. A ticket may name any rate that
-- its package has offered in the period; other rates are refused. Written by a trigger, so
-- that no code path can forget it.
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
grant select on package_terms_history to megalot_app;

create function record_package_terms() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into package_terms_history (package_id, bet_type, rate, discount_rate, min_satang, max_satang,
    max_per_number_satang, is_on)
  values (new.package_id, new.bet_type, new.rate, new.discount_rate, new.min_satang, new.max_satang,
    new.max_per_number_satang, new.is_on);
  -- Pages show rates, discounts and limits before a bet is placed at them.
  perform pg_notify('megalot_live', '{"terms":true}');
  return null;
end $$;
create trigger record_package_terms after insert or update on package_terms
  for each row execute function record_package_terms();
create trigger notify_live_of_max_items after update of max_items on packages for each statement
  execute function notify_live('{"terms":true}');

-- Packages that a user may bet with, or give to users below. No user has a package that its parent lacks.
create table user_packages (
  user_id bigint not null references users,
  package_id int not null references packages,
  primary key (user_id, package_id)
);
grant select, insert, delete on user_packages to megalot_app;

-- No user is inserted while packages are taken away. Otherwise a new child could keep a package that its parent loses.
create trigger lock_user_tree before insert or delete on user_packages
  for each statement execute function lock_user_tree();

-- Effects of given or taken packages: no user has one that its parent lacks, and the user's own column lists them all.
-- After a removal, each row looks up its user's children, and each child its package; `offset 0` keeps the planner from
-- other plans. Otherwise, if a downline loses its users' only package, it reads all rows of the package for each of
-- them, including those just deleted. Security definer: the application has no right to write `package_ids`.
create function apply_user_packages() returns trigger language plpgsql security definer set search_path = public, pg_temp
  set enable_seqscan = off as $$
begin
  if tg_op = 'INSERT' and exists (
      select 1 from changed join users using (user_id)
        left join user_packages above on above.user_id = users.parent_id and above.package_id = changed.package_id
      where users.parent_id is not null and above.user_id is null
    ) or tg_op = 'DELETE' and exists (
      select 1 from changed cross join lateral (
        select 1 from users child where child.parent_id = changed.user_id and exists (
          select 1 from user_packages given
          where given.user_id = child.user_id and given.package_id = changed.package_id offset 0
        ) offset 0
      ) has_kept
    ) then
    raise exception 'a user would have a package that its parent has not'
      using errcode = 'check_violation', constraint = 'packages_within_line';
  end if;
  -- Locks the users before reading their packages, in a separate statement, so that the second of two concurrent
  -- changes reads what the first has written.
  perform 1 from users where user_id in (select user_id from changed) order by user_id for no key update;
  update users set package_ids = array(select package_id from user_packages given where given.user_id = users.user_id)
    where user_id in (select user_id from changed);
  -- 400 users per notification, which holds at most 8,000 bytes.
  perform pg_notify('megalot_live', json_build_object('packages', json_agg(user_id))::text)
    from (
      select user_id, row_number() over (order by user_id) / 400 as part from (select distinct user_id from changed) users
    ) parts group by part;
  return null;
end $$;
create trigger apply_given_packages after insert on user_packages
  referencing new table as changed for each statement execute function apply_user_packages();
create trigger apply_taken_packages after delete on user_packages
  referencing old table as changed for each statement execute function apply_user_packages();

-- While a row exists, members are kept out of one market, or of the whole application.
create table maintenances (
  -- The market; '' for the whole application.
  scope text primary key,
  message_th text not null check (length(message_th) between 1 and 500),
  message_en text not null check (length(message_en) between 1 and 500),
  -- The expected end, which is only shown.
  until_at timestamptz,
  since_at timestamptz not null default clock_timestamp(),
  set_by bigint references users
);
grant select, insert (scope, message_th, message_en, until_at, set_by),
  update (message_th, message_en, until_at, set_by), delete on maintenances to megalot_app;
create trigger notify_live after insert or update or delete on maintenances for each statement
  execute function notify_live('{"everything":true}');
