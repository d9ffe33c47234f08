-- A result that turns out wrong after it was paid is corrected: the period is settled in a further round, which takes back
-- what is no longer won and pays what is won now. Wins stay append-only: a round writes +1 or −1 of a line.

alter table order_wins disable trigger append_only;
drop view order_items;
alter table order_wins
  -- 0: the first settlement; 1…: that correction of the period.
  add column round int not null default 0,
  -- +1: the line won; -1: it has not, after all. Then the win is negative, too.
  add column sign int not null default 1,
  add column period_id int,
  add column user_id bigint,
  -- The bet as `rules/bet-slot.ts` numbers it, and the line as it was accepted.
  add column slot int,
  add column bet_satang bigint,
  add column received_satang bigint,
  add column discount_satang bigint,
  add column rate int,
  drop constraint order_wins_win_satang_check,
  drop constraint order_wins_pkey,
  add primary key (order_id, line_no, round);
update order_wins set period_id = o.period_id, user_id = o.user_id, slot = (o.bet_keys[line_no] % 10000)::int,
  bet_satang = (o.lines -> (line_no - 1) ->> 0)::bigint, received_satang = (o.lines -> (line_no - 1) ->> 1)::bigint,
  rate = (o.lines -> (line_no - 1) ->> 2)::int, discount_satang = (o.lines -> (line_no - 1) ->> 5)::bigint
from orders o where o.order_id = order_wins.order_id;
alter table order_wins
  alter column period_id set not null,
  alter column user_id set not null,
  alter column slot set not null,
  alter column bet_satang set not null,
  alter column received_satang set not null,
  alter column discount_satang set not null,
  alter column rate set not null,
  add constraint order_wins_have_a_sign check (sign in (-1, 1) and win_satang * sign > 0);
alter table order_wins enable trigger append_only;
create index order_wins_by_period on order_wins (period_id, user_id, order_id desc);

-- As before; what a line has won is the sum over the rounds.
create view order_items as
select orders.order_id, line.line_no::int as line_no, orders.period_id, orders.user_id, orders.status as order_status,
  bet_type_of(bet.slot) as bet_type, number_of(bet.slot) as number,
  (value ->> 0)::bigint as asked_satang,
  case when is_returned then 0 else (value ->> 0)::bigint end as bet_satang,
  case when is_returned then 0 else (value ->> 1)::bigint end as received_satang,
  (value ->> 2)::int as rate, (value ->> 3)::int as rate_seen, (value ->> 4)::int as discount_rate,
  case when is_returned then 0 else (value ->> 5)::bigint end as discount_satang,
  value ->> 6 = '1' as is_half_pay,
  coalesce((select sum(wins.win_satang) from order_wins wins
    where wins.order_id = orders.order_id and wins.line_no = line.line_no), 0)::bigint as win_satang
from orders
  cross join lateral json_array_elements(orders.lines) with ordinality as line (value, line_no)
  cross join lateral (select line.line_no = any(coalesce(orders.returned_lines, '{}'))) as given_back (is_returned)
  cross join lateral (select (orders.bet_keys[line.line_no] % 10000)::int) as bet (slot);
grant select on order_items to megalot_app;

-- Corrections: entered by one office user, repeated by another, then settled. What is done is never changed.
create table award_corrections (
  correction_id int generated always as identity primary key,
  period_id int not null references periods,
  -- 1, 2 … of the period.
  round int not null check (round > 0),
  state text not null default 'entered' check (state in ('entered', 'locked', 'agreed', 'settled')),
  old_result jsonb not null,
  new_result jsonb not null,
  reason text not null check (length(reason) between 3 and 200),
  entered_by bigint not null references users,
  entered_at timestamptz not null default clock_timestamp(),
  repeated_by bigint references users,
  repeated_at timestamptz,
  settled_at timestamptz,
  taken_back_satang bigint not null default 0,
  paid_satang bigint not null default 0,
  unique (period_id, round),
  constraint corrections_need_two_people check (repeated_by <> entered_by),
  check (state not in ('agreed', 'settled') or repeated_by is not null),
  check ((state = 'settled') = (settled_at is not null))
);
create unique index award_corrections_open on award_corrections (period_id) where state <> 'settled';

create function guard_correction() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    if new.state <> 'entered' and current_user = 'megalot_app' then
      raise exception 'a correction begins with one person' using errcode = 'insufficient_privilege';
    end if;
    return new;
  end if;
  if old.state in ('agreed', 'settled') and (tg_op = 'DELETE' or old.state = 'settled'
    or (new.old_result, new.new_result, new.entered_by, new.repeated_by) is distinct from
      (old.old_result, old.new_result, old.entered_by, old.repeated_by)) then
    raise exception 'a correction that is agreed stands' using errcode = 'insufficient_privilege';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $$;
create trigger guard_correction before insert or update or delete on award_corrections
  for each row execute function guard_correction();

-- A settled period is settled again for an agreed correction, and for nothing else.
create or replace function guard_period() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if new.close_at <> old.close_at and (new.close_at > old.close_at or old.close_at <= clock_timestamp()) then
    raise exception 'a period cannot be opened again' using errcode = 'check_violation', constraint = 'periods_close_once';
  end if;
  if new.outcome <> old.outcome and (old.outcome, new.outcome) not in
      (('pending', 'settling'), ('settling', 'settled'), ('pending', 'void'))
    and not ((old.outcome, new.outcome) = ('settled', 'settling') and exists (
      select 1 from award_corrections c where c.period_id = old.period_id and c.state = 'agreed')) then
    raise exception 'a period cannot go from % to %', old.outcome, new.outcome
      using errcode = 'check_violation', constraint = 'periods_go_forward';
  end if;
  return new;
end $$;

create or replace function guard_award() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
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
  return case tg_op when 'DELETE' then old else new end;
end $$;

alter table settlements add column round int not null default 0;

-- What a correction takes back may be more than a member still has. Then the floor gives way by just that much, and comes
-- back with whatever the member receives: until then nothing can be bet. No trigger does it, because every ticket would pay
-- for it: the round that settles periods looks at the few accounts that owe.
alter table accounts
  add column owed_satang bigint not null default 0 check (owed_satang >= 0),
  drop constraint credit_never_overspent,
  add constraint credit_never_overspent check (balance_satang + owed_satang >= floor_satang);
create index accounts_owing on accounts (account_id) where owed_satang > 0;

create function lower_owed() returns void language sql security definer set search_path = public, pg_temp as $$
  update accounts set owed_satang = greatest(0, floor_satang - balance_satang)
  where owed_satang > 0 and owed_satang > floor_satang - balance_satang
$$;

-- Lets the floors of cash accounts give way as far as taking back these amounts needs. Only while a period with an agreed
-- correction is being settled. The caller holds the accounts.
create function give_way(for_period int, account_ids bigint[], amounts bigint[]) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not exists (select 1 from periods join award_corrections c using (period_id)
    where period_id = for_period and outcome = 'settling' and c.state = 'agreed') then
    raise exception 'floors give way to corrections alone' using errcode = 'insufficient_privilege';
  end if;
  update accounts a set owed_satang = a.floor_satang - (a.balance_satang - given.amount)
    from unnest(account_ids, amounts) as given (account_id, amount)
    where a.account_id = given.account_id and a.kind = 'cash'
      and a.floor_satang - (a.balance_satang - given.amount) > a.owed_satang;
end $$;

-- Corrections that were settled until then a member has read of.
create table notice_reads (
  user_id bigint primary key references users,
  up_to_at timestamptz not null
);

grant select, insert (period_id, round, old_result, new_result, reason, entered_by),
  update (state, repeated_by, repeated_at, settled_at, taken_back_satang, paid_satang), delete
  on award_corrections to megalot_app;
grant select, insert, update (up_to_at) on notice_reads to megalot_app;
