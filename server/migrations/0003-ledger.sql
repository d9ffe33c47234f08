-- Append-only double entry. Every movement of money is one entry with two or more postings that sum to 0;
-- an account's balance is the sum of its postings, because only postings can change it.

create table accounts (
  account_id bigint generated always as identity primary key,
  -- cash: a user's money outside of waiting tickets; held: inside of them (balance = cash + held).
  -- period: the stakes of one period less its wins.
  kind text not null check (kind in ('cash', 'held', 'period')),
  user_id bigint references users,
  period_id int,
  balance_satang bigint not null default 0,
  -- The balance never goes below it: minus the credit limit for cash, 0 for held, absent for a period.
  floor_satang bigint check (floor_satang <= 0),
  constraint credit_never_overspent check (balance_satang >= floor_satang),
  check ((kind in ('cash', 'held')) = (user_id is not null)),
  check ((kind = 'period') = (period_id is not null)),
  check ((kind = 'period') = (floor_satang is null)),
  unique (user_id, kind),
  unique (period_id)
);

create sequence entry_ids;

create table entries (
  entry_id bigint primary key default nextval('entry_ids') check (entry_id > 0),
  kind text not null check (kind in ('bet_hold', 'bet', 'bet_release', 'win', 'refund', 'reversal',
    'credit_change', 'transfer', 'adjustment', 'commission')),
  order_id bigint,
  -- What must happen once at most, by name; the second try fails.
  once_key text unique,
  -- Absent: the system itself.
  actor_id bigint references users,
  at timestamptz not null default clock_timestamp()
);
create index entries_by_order on entries (order_id) where order_id is not null;

create table postings (
  entry_id bigint not null references entries,
  account_id bigint not null references accounts,
  amount_satang bigint not null check (amount_satang <> 0),
  primary key (entry_id, account_id)
);
create index postings_by_account on postings (account_id, entry_id);

create trigger append_only before update or delete or truncate on entries execute function refuse_change();
create trigger append_only before update or delete or truncate on postings execute function refuse_change();

-- Runs as the owner: nobody else can write a balance.
create function apply_postings() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare unbalanced bigint;
begin
  select entry_id into unbalanced from new_postings group by entry_id having sum(amount_satang) <> 0 limit 1;
  if found then
    raise exception 'the postings of entry % do not sum to 0', unbalanced
      using errcode = 'check_violation', constraint = 'entries_balanced';
  end if;
  -- An entry is whole from the start: nothing is added to one of an earlier transaction.
  if exists (select 1 from new_postings join entries using (entry_id) where not written_now(entries.xmin)) then
    raise exception 'an entry that stands cannot be added to' using errcode = 'insufficient_privilege';
  end if;
  update accounts set balance_satang = balance_satang + change.amount
    from (select account_id, sum(amount_satang)::bigint as amount from new_postings group by account_id) change
    where accounts.account_id = change.account_id;
  return null;
end $$;
create trigger apply_postings after insert on postings
  referencing new table as new_postings for each statement execute function apply_postings();

grant select, insert (kind, user_id, period_id, floor_satang), update (floor_satang) on accounts to megalot_app;
grant usage on sequence entry_ids to megalot_app;
-- Not the instant: the database writes it.
grant select, insert (entry_id, kind, order_id, once_key, actor_id) on entries to megalot_app;
grant select, insert on postings to megalot_app;
