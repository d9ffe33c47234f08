-- Append-only double entry. An entry moves an amount between two accounts in one row, so it always sums to 0. Only
-- entries change balances, so a balance is the sum of its account's entries.

create table accounts (
  account_id bigint generated always as identity primary key,
  -- cash: a user's money outside waiting tickets; held: money inside them (balance = cash + held). period: a period's
  -- stakes less its wins.
  kind text not null check (kind in ('cash', 'held', 'period')),
  user_id bigint references users,
  period_id int references periods,
  balance_satang bigint not null default 0,
  -- The lowest balance allowed: minus the credit limit for cash, 0 for held, null (none) for a period.
  floor_satang bigint check (floor_satang <= 0),
  -- How far below its floor the balance may be, because a correction can take back more than a member still has.
  -- Decreases as the member receives money; until it is 0 the member cannot bet. The settlement job lowers it, not a
  -- trigger, which would slow down every ticket.
  overdraft_satang bigint not null default 0 check (overdraft_satang >= 0),
  -- The sum of credit limits of the user's children, on its cash account. Set by the database, because every record of
  -- an agent shows it.
  given_satang bigint not null default 0,
  constraint credit_never_overspent check (balance_satang + overdraft_satang >= floor_satang),
  constraint accounts_of_users check ((kind in ('cash', 'held')) = (user_id is not null)),
  constraint accounts_of_periods check ((kind = 'period') = (period_id is not null)),
  constraint accounts_of_users_have_a_floor check ((kind = 'period') = (floor_satang is null)),
  unique (user_id, kind),
  unique (period_id)
);
create index accounts_overdrawn on accounts (account_id) where overdraft_satang > 0;
grant select, insert (kind, user_id, period_id, floor_satang), update (floor_satang) on accounts to megalot_app;

-- Maintains `given_satang` of a parent. Security definer: the application has no right to write it. Changes of limits
-- lock the parent's account before, or here. Uses the index, even if the plan was made for a small table.
create function add_given_limits() returns trigger language plpgsql security definer set search_path = public, pg_temp
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
begin
  -- Once for all accounts of a statement, because repeated updates of one row within a transaction get slower and
  -- slower.
  update accounts set given_satang = given_satang + added
  from (
    select parent_id, -sum(floor_satang)::bigint as added from opened join users using (user_id)
    where opened.kind = 'cash' and floor_satang <> 0 group by parent_id
  ) children
  where accounts.kind = 'cash' and accounts.user_id = parent_id;
  return null;
end $$;
create trigger add_given_limits after insert on accounts
  referencing new table as opened for each statement execute function add_given_limits();

-- Per row: a statement-level trigger cannot name its column, and would slow down every ticket.
create function change_given_limit() returns trigger language plpgsql security definer set search_path = public, pg_temp
  set enable_seqscan = off as $$
begin
  update accounts set given_satang = given_satang + old.floor_satang - new.floor_satang
  where kind = 'cash' and user_id = (select parent_id from users where user_id = new.user_id);
  -- Balances change with every ticket and are not published here.
  perform pg_notify('megalot_live', json_build_object('users', json_build_array(new.user_id))::text);
  return null;
end $$;
create trigger change_given_limit after update of floor_satang on accounts for each row
  when (new.kind = 'cash' and new.floor_satang <> old.floor_satang) execute function change_given_limit();

-- A period gets its account at creation, so that placing a ticket never has to create one.
create function open_period_account() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into accounts (kind, period_id) values ('period', new.period_id);
  return null;
end $$;
create trigger open_period_account after insert on periods for each row execute function open_period_account();

create sequence entry_ids;
grant select, usage on sequence entry_ids to megalot_app;

-- Accounts and actors are checked by `apply_entries` once per statement, and by `place_batch`, instead of by foreign
-- keys per row.
create table entries (
  entry_id bigint primary key default nextval('entry_ids') check (entry_id > 0),
  order_id bigint,
  -- Null for the system.
  actor_id bigint,
  at timestamptz not null default clock_timestamp(),
  from_account_id bigint not null,
  to_account_id bigint not null,
  amount_satang bigint not null,
  kind text not null check (kind in ('bet_hold', 'bet', 'bet_release', 'win', 'refund', 'reversal',
    'credit_change', 'transfer', 'adjustment', 'commission')),
  -- An idempotency key, such as `win:12:100077`: a second entry with the same key fails.
  idempotency_key text,
  constraint entries_move_something check (amount_satang > 0),
  constraint entries_have_two_sides check (from_account_id <> to_account_id)
);
-- Partial: most entries have no key.
create unique index entries_by_idempotency_key on entries (idempotency_key) where idempotency_key is not null;
create index entries_by_from on entries (from_account_id, entry_id);
-- Without bets: they credit period accounts (`apply_entries`, `place_batch`), and this index is only used for users'
-- accounts, with the condition `kind <> 'bet'`.
create index entries_by_to on entries (to_account_id, entry_id) where kind <> 'bet';
create trigger append_only before update or delete or truncate on entries execute function refuse_change();
create trigger take_transaction_id before insert on entries for each statement execute function take_transaction_id();
-- Without `entry_id` and `at`, which only the database sets.
grant select, insert (kind, order_id, idempotency_key, actor_id, from_account_id, to_account_id, amount_satang)
  on entries to megalot_app;

-- Applies new entries to balances. Security definer: the application has no right to write a balance. Joins use
-- indexes, because a plan cached while a table was empty would scan all of it later.
create function apply_entries() returns trigger language plpgsql security definer set search_path = public, pg_temp
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
declare
  named int;
  changed int;
  owner_ids bigint[];
  other_actors bigint[];
begin
  with changes as (
    select account_id, sum(amount)::bigint as amount from (
      select from_account_id as account_id, -amount_satang as amount from new_entries
      union all select to_account_id, amount_satang from new_entries
    ) sides group by account_id
  ), applied as (
    update accounts set balance_satang = balance_satang + changes.amount from changes
    where accounts.account_id = changes.account_id returning user_id
  )
  select (select count(*) from changes), (select count(*) from applied),
      (select array_agg(user_id) filter (where user_id is not null) from applied)
    into named, changed, owner_ids;
  if changed <> named then
    raise exception 'an entry names an account that is not there' using errcode = 'foreign_key_violation';
  end if;
  -- `entries_by_to` relies on it.
  if exists (select 1 from new_entries where new_entries.kind = 'bet'
    and (select accounts.kind from accounts where account_id = to_account_id) <> 'period') then
    raise exception 'a bet goes to a period' using errcode = 'check_violation', constraint = 'bets_go_to_periods';
  end if;
  -- The owner of a changed account exists, so only other actors are looked up.
  other_actors := array(select actor_id from new_entries where actor_id is not null
    except select unnest(owner_ids));
  if cardinality(other_actors) > 0
    and (select count(*) from users where user_id = any(other_actors)) <> cardinality(other_actors) then
    raise exception 'an entry names an actor who is not there' using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;
create trigger apply_entries after insert on entries
  referencing new table as new_entries for each statement when (not is_placing_batch()) execute function apply_entries();

-- Both sides of each entry.
create view postings as
select entry_id, account_id, side.amount_satang from entries
  cross join lateral (values (from_account_id, -amount_satang), (to_account_id, amount_satang)) side (account_id, amount_satang);
grant select on postings to megalot_app;

-- Lowers `overdraft_satang` to what accounts still owe. Skips locked accounts; the next run gets them. Waiting for one
-- account would delay every settlement, and waiting while holding others could deadlock with tickets.
create function lower_overdrafts() returns void language sql security definer set search_path = public, pg_temp as $$
  with free as materialized (
    select account_id from accounts where overdraft_satang > 0 and overdraft_satang > floor_satang - balance_satang
    for no key update skip locked
  )
  update accounts set overdraft_satang = greatest(0, floor_satang - balance_satang)
  from free where accounts.account_id = free.account_id
$$;
grant execute on function lower_overdrafts() to megalot_app;

-- The last entry before each day begins in Bangkok, written shortly before, so that sums over a member's last days need
-- not scan all years. A missing row only costs time.
create table entry_marks (
  day date primary key,
  entry_id bigint not null
);
grant select on entry_marks to megalot_app;

-- Writes the mark of the next day. Security definer: a mark too far ahead would hide what members have used of their
-- own limits.
create function mark_entries() returns void language sql security definer set search_path = public, pg_temp
begin atomic
  insert into entry_marks (day, entry_id)
  select (clock_timestamp() at time zone 'Asia/Bangkok')::date + 1, last_value from entry_ids
  on conflict (day) do nothing;
end;
grant execute on function mark_entries() to megalot_app;

-- A user's balance (cash and held) after one of its entries, written once a day and after many entries each hour, so
-- that old statements need not be computed back from today. A missing row only costs time.
create table balance_marks (
  user_id bigint not null references users,
  entry_id bigint not null,
  balance_satang bigint not null,
  primary key (user_id, entry_id)
);
grant select, insert on balance_marks to megalot_app;

-- A user's balance before a midnight in Bangkok, computed from its last mark that is at least ten minutes older.
create function balance_before(of_user bigint, instant timestamptz) returns bigint language plpgsql stable
  set search_path = public, pg_temp as $$
declare
  own bigint[] := array(select account_id from accounts where user_id = of_user);
  low bigint := id_before('entries', 'entry_id', 'at', instant);
  high bigint := id_before('entries', 'entry_id', 'at', instant + interval '20 minutes');
  marked_id bigint;
  marked bigint;
  moved bigint;
begin
  select entry_id, balance_satang into marked_id, marked from balance_marks
    where user_id = of_user and entry_id <= low order by entry_id desc limit 1;
  if not found then
    marked_id := 0;
    marked := 0;
  end if;
  select coalesce(sum(amount), 0) into moved from (
    select -amount_satang as amount from entries where from_account_id = any(own)
      and entry_id > marked_id and entry_id <= high and at < instant
    union all
    select amount_satang from entries where to_account_id = any(own) and kind <> 'bet'
      and entry_id > marked_id and entry_id <= high and at < instant
  ) sides;
  return marked + moved;
end $$;
