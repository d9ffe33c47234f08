-- Results, their settlement and correction, and periods without a valid draw.

-- The result of a period. One office user enters it, another repeats it; a difference locks it for review.
create table awards (
  period_id int primary key references periods,
  state text not null check (state in ('entered', 'locked', 'agreed')),
  result jsonb not null,
  -- Null for past results from the seed.
  entered_by bigint references users,
  entered_at timestamptz not null default clock_timestamp(),
  repeated_by bigint references users,
  repeated_result jsonb,
  repeated_at timestamptz,
  -- Generated for the demo, and shown as such.
  is_demo boolean not null default false,
  constraint awards_need_two_people check (repeated_by <> entered_by),
  constraint awards_entered_are_not_repeated
    check (state <> 'entered' or num_nonnulls(repeated_by, repeated_result, repeated_at) = 0),
  constraint awards_locked_are_repeated check (state <> 'locked' or num_nulls(repeated_by, repeated_result) = 0),
  constraint awards_agreed_are_repeated
    check (state <> 'agreed' or entered_by is null or (repeated_by is not null and repeated_result is not distinct from result))
);
grant select, insert, update, delete on awards to megalot_app;

-- A result is entered after the draw, by a first person in state `entered`. Once its period is
-- settled, only an agreed correction changes it.
create function guard_award() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if tg_op <> 'DELETE' and clock_timestamp() < (select draw_at from periods where period_id = new.period_id) then
    raise exception 'the period is not drawn yet' using errcode = 'check_violation', constraint = 'awards_after_draw';
  end if;
  -- Only the demo's seed and its job mark demo results, as the owner.
  if tg_op <> 'DELETE' and new.is_demo and not acts_as_owner() and (tg_op = 'INSERT' or not old.is_demo) then
    raise exception 'a result that people enter is no demo result' using errcode = 'insufficient_privilege';
  end if;
  if tg_op = 'INSERT' then
    if current_user = 'megalot_app' and (new.state <> 'entered' or new.entered_by is null) then
      raise exception 'a result begins with one person' using errcode = 'insufficient_privilege';
    end if;
    return new;
  end if;
  if exists (select 1 from periods where period_id = old.period_id and outcome <> 'pending')
    and (tg_op = 'DELETE' or not exists (select 1 from award_corrections c
      where c.period_id = old.period_id and c.state = 'agreed' and c.new_result = new.result
        and (c.entered_by, c.repeated_by) = (new.entered_by, new.repeated_by))) then
    raise exception 'the result of a settled period stands' using errcode = 'insufficient_privilege';
  end if;
  -- The second person repeats it once. A correction was compared above.
  if tg_op = 'UPDATE' and not acts_as_owner() and exists (select 1 from periods where period_id = old.period_id and outcome = 'pending')
    and (old.state <> 'entered' or (new.period_id, new.result, new.entered_by, new.entered_at)
      is distinct from (old.period_id, old.result, old.entered_by, old.entered_at)) then
    raise exception 'a result that was entered stays as it is' using errcode = 'insufficient_privilege';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $$;
create trigger guard_award before insert or update or delete on awards for each row execute function guard_award();
create trigger require_two_people before insert or update of repeated_by on awards
  for each row execute function require_two_people('entered_by', 'repeated_by');

-- The winning bets of a result, as slots (`rules/src/bet-slot.ts`): `listWinningBets` of `rules/src/settlement.ts` written
-- a second time for the invariants, so that each finds mistakes of the other. Numbers of a wrong length win nothing, so
-- a malformed result stops no check.
create function winning_slots(result jsonb, bottom3_set text) returns int[] language sql immutable
  set search_path = public, pg_temp
begin atomic
  with draw as (
    select substring(result ->> 'top3' from '^\d{3}$') as top3, substring(result ->> 'bottom2' from '^\d{2}$') as bottom2,
      case jsonb_typeof(result -> 'front3') when 'array' then result -> 'front3' else '[]' end as front3,
      case jsonb_typeof(result -> 'back3') when 'array' then result -> 'back3' else '[]' end as back3
  ), two as (
    select substr(top3, first, 1) || substr(top3, second, 1) as pair, substr(top3, 6 - first - second, 1) as third
    from draw cross join generate_series(1, 3) first cross join generate_series(1, 3) second where first <> second
  ), bets as (
    select top3::int as slot from draw
    union select 1000 + (pair || third)::int from two
    union select 2000 + number::int from draw cross join lateral jsonb_array_elements_text(front3) number where number ~ '^\d{3}$'
    union select 3000 + number::int from draw cross join lateral jsonb_array_elements_text(
      case bottom3_set when 'front+back' then front3 || back3 else back3 end) number where number ~ '^\d{3}$'
    union select 4000 + right(top3, 2)::int from draw
    union select 4100 + bottom2::int from draw
    union select 4200 + pair::int from two
    union select 4300 + substr(top3, digit_index, 1)::int from draw cross join generate_series(1, 3) digit_index
    union select 4310 + substr(bottom2, digit_index, 1)::int from draw cross join generate_series(1, 2) digit_index
  )
  select coalesce(array_agg(slot order by slot), '{}') from bets where slot is not null;
end;

-- The tickets that contain each bet of a closed period, by which settlement finds those of a winning number. Built once,
-- from tickets of any status, because their slots no longer change.
create table period_slots (
  period_id int not null,
  slot smallint not null,
  -- Distinct, in order.
  order_ids bigint[] not null,
  primary key (period_id, slot)
);
grant select on period_slots to megalot_app;

-- Periods whose slot index is begun, including those without tickets.
create table slot_indexes (
  period_id int primary key references periods,
  started_at timestamptz not null default clock_timestamp(),
  indexed_up_to_order_id bigint not null default 0,
  -- Null while tickets are missing.
  built_at timestamptz
);
grant select on slot_indexes to megalot_app;

-- Indexes the next `max_orders` tickets of a period, so that no statement reaches its time limit. Returns whether the
-- index is complete. Waits for batches in flight, which share the period's lock: one may commit after the close. Later
-- statements must see their tickets, so the transaction must not read by an older snapshot. The settings keep the arrays
-- out of temporary files, and save compilation.
create function build_slot_index(of_period int, max_orders int) returns boolean
  language plpgsql security definer set search_path = public, pg_temp set work_mem = '64MB' set jit = off as $$
declare
  indexed_up_to bigint;
  last_of_piece bigint;
  orders_of_piece int;
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'a slot index is built in read committed' using errcode = 'invalid_transaction_state';
  end if;
  if exists (select 1 from slot_indexes where period_id = of_period and built_at is not null) then return true; end if;
  perform pg_advisory_xact_lock(7361206, of_period);
  if not exists (select 1 from periods where period_id = of_period and close_at <= clock_timestamp()) then
    raise exception 'the period may still get tickets' using errcode = 'check_violation', constraint = 'slot_index_after_close';
  end if;
  insert into slot_indexes (period_id) values (of_period) on conflict do nothing;
  select indexed_up_to_order_id into indexed_up_to from slot_indexes where period_id = of_period and built_at is null;
  if not found then return true; end if;
  select max(order_id), count(*) into last_of_piece, orders_of_piece from (
    select order_id from orders where period_id = of_period and order_id > indexed_up_to order by order_id limit max_orders
  ) piece;
  insert into period_slots as stored (period_id, slot, order_ids)
  select of_period, slot, array(select distinct order_id from unnest(tickets) order_id order by order_id)
  from (
    select slot, array_agg(order_id) as tickets from orders cross join lateral unnest(slots) slot
    where period_id = of_period and order_id > indexed_up_to and order_id <= last_of_piece group by slot
  ) bets
  on conflict (period_id, slot) do update set order_ids = stored.order_ids || excluded.order_ids;
  update slot_indexes set indexed_up_to_order_id = coalesce(last_of_piece, indexed_up_to),
    built_at = case when orders_of_piece < max_orders then clock_timestamp() end
  where period_id = of_period;
  return orders_of_piece < max_orders;
end $$;
grant execute on function build_slot_index(int, int) to megalot_app;

-- The progress of paying a period, in order of ticket id.
create table settlements (
  period_id int primary key references periods,
  paid_up_to_order_id bigint not null default 0,
  paid_orders int not null default 0,
  paid_satang bigint not null default 0,
  started_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz,
  -- 0: the first settlement; 1…: corrections.
  round int not null default 0
);
grant select, insert, update on settlements to megalot_app;

-- Corrections of a paid result: one office user enters the right one, another repeats it, and a further round of the
-- settlement takes back what is no longer won and pays what is won now.
create table award_corrections (
  correction_id int generated always as identity primary key,
  period_id int not null references periods,
  round int not null check (round > 0),
  state text not null default 'entered' check (state in ('entered', 'locked', 'agreed', 'settled')),
  old_result jsonb not null,
  new_result jsonb not null,
  reason text not null check (length(reason) between 3 and 200),
  entered_by bigint not null references users,
  entered_at timestamptz not null default clock_timestamp(),
  repeated_by bigint references users,
  -- For comparison if the entries differ.
  repeated_result jsonb,
  repeated_at timestamptz,
  settled_at timestamptz,
  taken_back_satang bigint not null default 0,
  paid_satang bigint not null default 0,
  constraint corrections_change_the_result check (new_result <> old_result),
  constraint corrections_need_two_people check (repeated_by <> entered_by),
  constraint corrections_entered_are_not_repeated
    check (state <> 'entered' or num_nonnulls(repeated_by, repeated_result, repeated_at) = 0),
  constraint corrections_locked_are_repeated check (state <> 'locked' or num_nulls(repeated_by, repeated_result) = 0),
  constraint corrections_agreed_are_repeated check (state not in ('agreed', 'settled')
    or (repeated_by is not null and repeated_result is not distinct from new_result)),
  constraint corrections_settled_at_some_time check ((state = 'settled') = (settled_at is not null)),
  unique (period_id, round)
);
create unique index award_corrections_open on award_corrections (period_id) where state <> 'settled';
grant select, insert (period_id, round, old_result, new_result, reason, entered_by),
  update (state, repeated_by, repeated_result, repeated_at, settled_at, taken_back_satang, paid_satang), delete
  on award_corrections to megalot_app;

create function guard_correction() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    if new.state <> 'entered' and current_user = 'megalot_app' then
      raise exception 'a correction begins with one person' using errcode = 'insufficient_privilege';
    end if;
    -- The integrity check judges earlier wins by the paid result.
    if current_user = 'megalot_app' and not exists (select 1 from awards join periods using (period_id)
      where period_id = new.period_id and outcome = 'settled' and result = new.old_result) then
      raise exception 'a correction names the result that was paid' using errcode = 'insufficient_privilege';
    end if;
    return new;
  end if;
  if tg_op = 'UPDATE' and new.state = 'settled' and old.state not in ('agreed', 'settled') then
    raise exception 'a correction is settled after two people agreed' using errcode = 'insufficient_privilege';
  end if;
  if old.state in ('agreed', 'settled') and (tg_op = 'DELETE' or old.state = 'settled'
    or (new.old_result, new.new_result, new.entered_by, new.repeated_by) is distinct from
      (old.old_result, old.new_result, old.entered_by, old.repeated_by)) then
    raise exception 'a correction that is agreed stands' using errcode = 'insufficient_privilege';
  end if;
  -- The second person repeats it once. A locked one is removed, an agreed one is settled.
  if tg_op = 'UPDATE' and old.state <> 'entered' and not acts_as_owner()
    and ((new.repeated_by, new.repeated_result, new.repeated_at) is distinct from (old.repeated_by, old.repeated_result, old.repeated_at)
      or new.state not in (old.state, case old.state when 'agreed' then 'settled' else old.state end)) then
    raise exception 'a correction that was repeated stays as it is' using errcode = 'insufficient_privilege';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $$;
create trigger guard_correction before insert or update or delete on award_corrections
  for each row execute function guard_correction();
create trigger require_two_people before insert or update of repeated_by on award_corrections
  for each row execute function require_two_people('entered_by', 'repeated_by');

-- How far corrections let accounts go below their floors.
create table overdraft_allowances (
  correction_id int not null references award_corrections,
  account_id bigint not null references accounts,
  allowed_satang bigint not null check (allowed_satang > 0),
  primary key (correction_id, account_id)
);
grant select on overdraft_allowances to megalot_app;

-- Lets cash accounts go below their floors to take back these amounts, only while an agreed correction is being settled,
-- and at most by the member's reversed wins, which are written before. The caller has locked the accounts.
create function allow_overdraft(for_period int, account_ids bigint[], amounts bigint[]) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  correction award_corrections;
begin
  select c.* into correction from periods join award_corrections c using (period_id)
    where period_id = for_period and outcome = 'settling' and c.state = 'agreed';
  if not found then
    raise exception 'floors give way to corrections alone' using errcode = 'insufficient_privilege';
  end if;
  with needed as (
    select account_id, a.overdraft_satang as allowed, a.floor_satang - (a.balance_satang - given.amount) as overdraft
    from unnest(account_ids, amounts) as given (account_id, amount) join accounts a using (account_id)
    where a.kind = 'cash' and a.floor_satang - (a.balance_satang - given.amount) > a.overdraft_satang
  ), noted as (
    insert into overdraft_allowances as before (correction_id, account_id, allowed_satang)
    select correction.correction_id, account_id, overdraft - allowed from needed
    on conflict (correction_id, account_id) do update set allowed_satang = before.allowed_satang + excluded.allowed_satang
  )
  update accounts a set overdraft_satang = needed.overdraft from needed where a.account_id = needed.account_id;
  if exists (
    select 1 from overdraft_allowances allowed join accounts using (account_id)
    where allowed.correction_id = correction.correction_id and account_id = any (account_ids)
      and allowed.allowed_satang > (select coalesce(-sum(win_satang), 0) from order_wins wins
        where (wins.period_id, wins.round, wins.sign) = (for_period, correction.round, -1) and wins.user_id = accounts.user_id)
  ) then
    raise exception 'no floor gives way by more than the correction takes back'
      using errcode = 'check_violation', constraint = 'overdrafts_are_taken_back';
  end if;
end $$;
grant execute on function allow_overdraft(int, bigint[], bigint[]) to megalot_app;

-- Periods without a valid draw: two office users void one, every stake is refunded, and it takes no result.
create table period_voids (
  period_id int primary key references periods,
  -- The proposal that is executed by this transaction (`take_approval_of_void`).
  approval_id bigint not null unique,
  -- The progress of refunding: tickets up to this id are refunded.
  refunded_up_to_order_id bigint not null default 0,
  refunded_orders int not null default 0,
  refunded_satang bigint not null default 0,
  finished_at timestamptz
);
grant select, insert (period_id), update (refunded_up_to_order_id, refunded_orders, refunded_satang, finished_at)
  on period_voids to megalot_app;

create function take_approval_of_void() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  new.approval_id := (select approval_id from approvals join periods on subject = 'period:' || period_code
    where kind = 'void_period' and state = 'executed' and executed_in = pg_current_xact_id() and period_id = new.period_id);
  return new;
end $$;
create trigger take_approval_of_void before insert on period_voids for each row execute function take_approval_of_void();

create function guard_refunds() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if new.refunded_up_to_order_id < old.refunded_up_to_order_id or old.finished_at is not null then
    raise exception 'what was refunded stays as it is' using errcode = 'integrity_constraint_violation';
  end if;
  return new;
end $$;
create trigger guard_refunds before update on period_voids for each row execute function guard_refunds();

-- Tickets that were refunded because their period is void.
create view refunded_orders as
select order_id, orders.user_id, period_id, received_satang - discount_satang as net_satang
from orders join period_voids voids using (period_id)
where orders.status = 'CONFIRMED' and order_id <= voids.refunded_up_to_order_id;
grant select on refunded_orders to megalot_app;
