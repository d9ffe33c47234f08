-- An entry moves an amount from one account to another, in one row: it cannot but sum to 0. `postings` shows its two sides.

drop trigger append_only on entries;
drop trigger refuse_unknown_actors on entries;
drop function refuse_unknown_actors;

alter table entries
  add column from_account_id bigint,
  add column to_account_id bigint,
  add column amount_satang bigint;
update entries set from_account_id = given.account_id, to_account_id = taken.account_id, amount_satang = taken.amount_satang
  from postings given, postings taken
  where given.entry_id = entries.entry_id and given.amount_satang < 0
    and taken.entry_id = entries.entry_id and taken.amount_satang > 0;
alter table entries
  alter column from_account_id set not null,
  alter column to_account_id set not null,
  alter column amount_satang set not null,
  add constraint entries_move_something check (amount_satang > 0),
  add constraint entries_have_two_sides check (from_account_id <> to_account_id);

drop table postings;
drop function apply_postings;
create view postings as
select entry_id, account_id, side.amount_satang from entries
  cross join lateral (values (from_account_id, -amount_satang), (to_account_id, amount_satang)) side (account_id, amount_satang);

create index entries_by_from on entries (from_account_id, entry_id);
create index entries_by_to on entries (to_account_id, entry_id);
-- Nobody looks for a ticket's entries but by its member's account.
drop index entries_by_order;

create trigger append_only before update or delete or truncate on entries execute function refuse_change();

-- Runs as the owner: nobody else can write a balance. The joins must go by index: a plan made while a table was empty would
-- read all of it when it is full.
create function apply_entries() returns trigger language plpgsql security definer set search_path = public, pg_temp
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
declare
  named int;
  changed int;
  actor_ids bigint[] := array(select distinct actor_id from new_entries where actor_id is not null);
begin
  if (select count(*) from users where user_id = any(actor_ids)) <> cardinality(actor_ids) then
    raise exception 'an entry names an actor who is not there' using errcode = 'foreign_key_violation';
  end if;
  with changes as (
    select account_id, sum(amount)::bigint as amount from (
      select from_account_id as account_id, -amount_satang as amount from new_entries
      union all select to_account_id, amount_satang from new_entries
    ) sides group by account_id
  ), applied as (
    update accounts set balance_satang = balance_satang + changes.amount from changes
    where accounts.account_id = changes.account_id returning 1
  )
  select (select count(*) from changes), (select count(*) from applied) into named, changed;
  if changed <> named then
    raise exception 'an entry names an account that is not there' using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;
create trigger apply_entries after insert on entries
  referencing new table as new_entries for each statement execute function apply_entries();

-- Neither the number nor the instant: the database writes them.
revoke insert on entries from megalot_app;
grant insert (kind, order_id, once_key, actor_id, from_account_id, to_account_id, amount_satang) on entries to megalot_app;
grant select on postings to megalot_app;
