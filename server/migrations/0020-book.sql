-- Exposure ("the book"): what the house has received and would pay on each number of each period. A projection of
-- tickets and their later events. It is never used to accept a bet, and placing a ticket writes nothing for it.
-- Its sums are sums of tickets as placed, less what events released. Both never change, and each is counted once, in
-- any order. The job still counts a ticket before its events, so that no sum is ever negative.

-- How far the projection is. One row, whose lock admits one step at a time.
-- Ids are drawn before their transactions commit, so a lower id can appear after a higher one. `orders_up_to`: all
-- tickets up to this id are counted, and no more can appear; `orders_beyond`: counted tickets above it. The same for
-- events. The mark moves the former forward: ids up to `mark_order_id` were drawn by transactions older than
-- `mark_xid`. Once all of these have ended, all their rows are visible.
create table book_cursor (
  is_only boolean primary key default true check (is_only),
  -- Counts the steps that found something.
  version bigint not null default 0,
  orders_up_to bigint not null default 0,
  orders_beyond int8multirange not null default '{}',
  events_up_to bigint not null default 0,
  events_beyond int8multirange not null default '{}',
  mark_xid xid8 not null default '0',
  mark_order_id bigint not null default 0,
  mark_event_id bigint not null default 0,
  -- When the last step that found something ended.
  stepped_at timestamptz not null default clock_timestamp()
) with (fillfactor = 20);
insert into book_cursor default values;
-- The sequences of the ids.
grant select on sequence order_ids, order_events_event_id_seq to megalot_app;
grant select, update on book_cursor to megalot_app;

-- The company's exposure, one row per number with bets. Own: the part that the company keeps,
-- rounded per item. Items, stakes and payouts are those of live tickets, including waiting ones.
create table book_slots (
  period_id int not null,
  slot smallint not null,
  line_count int not null,
  stake_satang bigint not null,
  -- What the house pays if the number wins: each item at its own rate, including half pay.
  payout_satang bigint not null,
  own_stake_satang bigint not null,
  own_payout_satang bigint not null,
  -- The step that changed it last.
  version bigint not null,
  primary key (period_id, slot)
) with (fillfactor = 50);
grant select, insert, update, delete on book_slots to megalot_app;

-- Each member's sums, by package: nine values each, one per bet type in the order of `betTypes`.
create table book_members (
  period_id int not null,
  user_id bigint not null,
  package_id int not null,
  line_count int not null,
  received_satang bigint[] not null,
  discount_satang bigint[] not null,
  primary key (period_id, user_id, package_id)
) with (fillfactor = 70);
grant select, insert, update, delete on book_members to megalot_app;

-- The totals of a period.
create table book_periods (
  period_id int primary key,
  -- The step that changed it last, and the one that started it; a rebuild starts again.
  version bigint not null,
  first_version bigint not null,
  line_count int not null,
  received_satang bigint not null,
  discount_satang bigint not null,
  own_received_satang bigint not null,
  -- Includes the company's part of the commission of the level below it.
  own_discount_satang bigint not null
) with (fillfactor = 50);
grant select, insert, update, delete on book_periods to megalot_app;

-- The reconciliation of a closed period's exposure. Settlement waits for `sealed`.
create table book_seals (
  period_id int primary key references periods,
  state text not null check (state in ('sealed', 'differs')),
  -- The reconciled version and the hash of its rows, so that a later change by hand is detected before the payout.
  version bigint not null,
  book_hash text not null,
  sealed_at timestamptz not null default clock_timestamp(),
  -- The differences, with the first numbers or members; empty if sealed.
  differences jsonb not null
);
grant select, insert, update on book_seals to megalot_app;

-- Adds two arrays of nine sums.
create function add_sums(a bigint[], b bigint[]) returns bigint[] language sql immutable
  return array[a[1] + b[1], a[2] + b[2], a[3] + b[3], a[4] + b[4], a[5] + b[5], a[6] + b[6], a[7] + b[7], a[8] + b[8], a[9] + b[9]];

-- The hash of a period's whole exposure.
create function book_hash(of_period int) returns text language sql stable set search_path = public, pg_temp as $$
  select md5(concat_ws(';',
    (select string_agg(concat_ws(',', slot, line_count, stake_satang, payout_satang, own_stake_satang, own_payout_satang), ' '
      order by slot) from book_slots where period_id = of_period),
    (select string_agg(concat_ws(',', user_id, package_id, line_count, received_satang::text, discount_satang::text), ' '
      order by user_id, package_id) from book_members where period_id = of_period),
    (select concat_ws(',', line_count, received_satang, discount_satang, own_received_satang, own_discount_satang)
      from book_periods where period_id = of_period)))
$$;

-- The application pays no period whose exposure is not sealed. Seeds of the past write as the owner.
create function require_sealed_book() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if current_user = 'megalot_app' and not exists (select 1 from settlements where period_id = new.period_id) and not exists (
    select 1 from book_seals s where s.period_id = new.period_id and s.state = 'sealed' and s.book_hash = book_hash(new.period_id)) then
    raise exception 'the book of the period is not sealed' using errcode = 'check_violation', constraint = 'book_sealed';
  end if;
  return new;
end $$;
create trigger require_sealed_book before insert on settlements for each row execute function require_sealed_book();
