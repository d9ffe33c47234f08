-- The audit log: who did what, for whom, from where, before and after, and why; written in the transaction of the change
-- itself. No permission and no amount is read from it; triggers at the end of this file require a row for a changed limit, rate or
-- setting (decision 175), and for results, their corrections and voids. Proposals are audited by triggers of their own (`0015-approvals.sql`).
-- Its rows form a hash chain: each holds the hash of the one before it, so that a row that is removed, changed, inserted or moved later shows.

create table audit_log (
  audit_id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  -- Null: the system.
  actor_id bigint references users,
  -- For whom the actor acted; set by the database.
  principal_id bigint references users,
  -- From where the call came; null: a job.
  address text,
  action text not null,
  -- The object of the action: `period:thai-government-20261201`.
  subject text not null,
  -- The user whom it concerns, if any; set by the database where the subject is a user.
  subject_user_id bigint references users,
  before jsonb,
  after jsonb,
  reason text,
  -- The place in the chain, from 1 without gaps, set at the commit.
  chain_no bigint unique check (chain_no > 0),
  -- The hash of the row before, and of this row, which covers all other columns.
  previous_hash bytea,
  hash bytea,
  constraint audit_chained_as_a_whole
    check ((chain_no is null) = (hash is null) and (chain_no is null) = (previous_hash is null))
);
-- The reader of the log finds what a filter names by one of these, in the order of the chain (`audit.store.ts`).
create index audit_log_by_subject on audit_log (subject, chain_no);
create index audit_log_by_user on audit_log (subject_user_id, chain_no);
-- For signals: changes of credit, and entries of results, are few among log-ins.
create index audit_log_of_credit on audit_log (at) where action = 'change_credit_limit';
create index audit_log_of_results on audit_log (at) where action like 'award%';
-- What two people decided: of each action the last ones (`endings.ts` names the same actions).
create index audit_log_of_decisions on audit_log (action, at desc, audit_id desc)
  where action in ('approve_approval', 'reject_approval', 'withdraw_approval', 'void_order', 'reject_order_void',
    'withdraw_order_void', 'void_period', 'reject_period_void', 'withdraw_period_void', 'award_agreed', 'award_locked', 'award_reset',
    'award_correction_agreed', 'award_correction_locked', 'award_correction_reset');
create index audit_log_by_actor on audit_log (actor_id, chain_no);
create index audit_log_by_principal on audit_log (principal_id, chain_no);
create index audit_log_by_action on audit_log (action, chain_no);

-- A number of the chain, before which the rows are older than an instant: numbers follow time, but for the length of a transaction.
-- Null: no instant.
create function audit_no_before(instant timestamptz) returns bigint language plpgsql stable strict
  set search_path = public, pg_temp as $$
declare
  low bigint := 0;
  high bigint := coalesce((select max(chain_no) from audit_log), 0) + 1;
  middle bigint;
  seen timestamptz;
begin
  while high - low > 1 loop
    middle := (low + high) / 2;
    select at into seen from audit_log where chain_no >= middle order by chain_no limit 1;
    if seen < instant then low := middle; else high := middle; end if;
  end loop;
  return low;
end $$;

-- The end of the chain. Its row lock puts transactions that write audit rows one after another.
create table audit_head (
  is_only boolean primary key default true check (is_only),
  chain_no bigint not null,
  hash bytea not null
);
insert into audit_head (chain_no, hash) values (0, decode(repeat('00', 32), 'hex'));

-- SHA-256 over every column but `hash`, each as its length in bytes, a colon and its text, or a hyphen for null. The
-- verification computes the same on its own (`audit-chain.ts`).
create function audit_hash(entry audit_log) returns bytea language sql immutable
begin atomic
  select sha256(convert_to(string_agg(coalesce(octet_length(field) || ':' || field, '-'), ',' order by position), 'UTF8'))
  from unnest(array[entry.chain_no::text, encode(entry.previous_hash, 'hex'), entry.audit_id::text,
    (extract(epoch from entry.at) * 1000000)::bigint::text, entry.actor_id::text, entry.principal_id::text, entry.address,
    entry.action, entry.subject, entry.subject_user_id::text, entry.before::text, entry.after::text, entry.reason])
    with ordinality as fields (field, position);
end;

-- Adds all rows of the transaction to the chain, for the first of them. It runs at the commit, after all other work of the transaction:
-- the lock of the head is the last lock, which prevents deadlocks, and is held for the commit alone. The head is written once: each
-- further version of its row would have to be passed over by those after it.
create function chain_audit() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  head audit_head;
  entry audit_log;
begin
  if (select chain_no is not null from audit_log where audit_id = new.audit_id) then return null; end if;
  select * into strict head from audit_head for update;
  -- Rows of other transactions are not visible before they are chained.
  for entry in select * from audit_log where audit_id >= new.audit_id and chain_no is null order by audit_id loop
    entry.chain_no := head.chain_no + 1;
    entry.previous_hash := head.hash;
    entry.hash := audit_hash(entry);
    update audit_log set chain_no = entry.chain_no, previous_hash = entry.previous_hash, hash = entry.hash
      where audit_id = entry.audit_id;
    head.chain_no := entry.chain_no;
    head.hash := entry.hash;
  end loop;
  update audit_head set chain_no = head.chain_no, hash = head.hash;
  return null;
end $$;
create constraint trigger chain_audit after insert on audit_log deferrable initially deferred
  for each row execute function chain_audit();

-- Only the chain is added to a row, once.
create function guard_audit() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare chain constant text[] := array['chain_no', 'previous_hash', 'hash'];
begin
  if tg_op = 'UPDATE' and old.chain_no is null and new.chain_no is not null
    and to_jsonb(new) - chain = to_jsonb(old) - chain then
    return new;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end $$;
create trigger append_only before update or delete on audit_log for each row execute function guard_audit();
create trigger no_truncate before truncate on audit_log execute function refuse_change();

-- Writes audit rows from a JSON array of records. The application writes them in no other way but failed log-ins: time, principal and
-- chain are the database's.
create function write_audit(records jsonb) returns void language plpgsql security definer
  set search_path = public, pg_temp as $$
begin
  insert into audit_log (actor_id, principal_id, address, action, subject, subject_user_id, before, after, reason)
  select actor_id, principal_of(actor_id), address, action, subject,
    coalesce(subject_user_id, case when subject ~ '^user:[0-9]{1,15}$' then substr(subject, 6)::bigint end),
    before, after, reason
  from jsonb_to_recordset(records) as given (actor_id bigint, address text, action text, subject text,
    subject_user_id bigint, before jsonb, after jsonb, reason text);
end $$;
revoke execute on function write_audit(jsonb) from public;
grant execute on function write_audit(jsonb) to megalot_app;
grant select on audit_log, audit_head to megalot_app;

-- Rows that jobs of the owner have still to write: whoever may write the log can hold the end of the chain for as long as it likes, and
-- alarms do not wait for that. A row leaves this table in the transaction that writes it, so that none is lost and none written twice.
create table deferred_audits (
  deferred_id bigint generated always as identity primary key,
  -- As `write_audit` takes it.
  record jsonb not null
);

-- What this transaction has written to the log about a subject. A row that is not in the chain yet is always of the own transaction,
-- because the others' are added before anybody sees them; those of this transaction that are in the chain already, with an earlier row,
-- are its newest ones.
create function own_audits(of_subject text, actions text[]) returns setof audit_log language sql stable
begin atomic
  select (newest.entry).* from (select log as entry, xmin as written_in from audit_log log where subject = of_subject
    order by chain_no desc limit 100) newest
  where ((entry).chain_no is null or written_in = pg_current_xact_id()::xid) and (entry).action = any (actions);
end;

-- Whether a row of this transaction says what holds now, and what did before (`was`). `without`: what such a row does not name; `by_actor`: whose it is;
-- `exactly`: it says nothing besides.
create function is_audited_as(of_subject text, actions text[], what jsonb, without text default null, by_actor bigint default null,
  was jsonb default '{}', exactly boolean default false)
  returns boolean language sql stable
begin atomic
  select exists (
    select 1 from own_audits(of_subject, actions) where coalesce(after, '{}') @> what and coalesce(before, '{}') @> was
      and (not exactly or after - 'salt' = what)
      and (without is null or not after ? without) and (by_actor is null or actor_id = by_actor));
end;

-- The application changes a credit limit, the terms of a package, shares, quotas, limit rules and rules of cancelling only with an audit
-- row that states the new values: whoever has its log-in leaves a trace in the chain. Checked at the commit, because the row follows the change, and before the row is added to
-- the chain, because the change came first. A new account without credit needs none.
create function require_audit_of_limit() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if not acts_as_owner() and not is_audited_as('user:' || new.user_id, array['change_credit_limit', 'add_user', 'register'],
    jsonb_build_object('credit_limit_satang', -new.floor_satang)) then
    raise exception 'a credit limit changes with its row of the audit log'
      using errcode = 'check_violation', constraint = 'credit_limits_are_audited';
  end if;
  return null;
end $$;
create constraint trigger require_audit_of_first_limit after insert on accounts deferrable initially deferred
  for each row when (new.kind = 'cash' and new.floor_satang <> 0) execute function require_audit_of_limit();
create constraint trigger require_audit_of_limit after update of floor_satang on accounts deferrable initially deferred
  for each row when (new.kind = 'cash' and new.floor_satang <> old.floor_satang) execute function require_audit_of_limit();

create function require_audit_of_terms() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if not acts_as_owner() and not exists (
    select 1 from packages where package_id = new.package_id and is_audited_as('package:' || product_code || '/' || package_code,
      array['change_game_config'], jsonb_build_object('bet_types', jsonb_build_array(to_jsonb(new) - 'package_id')))) then
    raise exception 'terms change with their row of the audit log'
      using errcode = 'check_violation', constraint = 'terms_are_audited';
  end if;
  return null;
end $$;
create constraint trigger require_audit_of_terms after insert or update on package_terms deferrable initially deferred
  for each row execute function require_audit_of_terms();

-- The triggers below say who they are for when the row changes: nothing of the owner waits for the commit then, and it may change the table.
create function require_audit_of_shares() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if not is_audited_as('user:' || new.user_id, array['change_share_terms', 'add_user'], jsonb_build_object(
    'position_rate', new.position_rate, 'line_rate', new.line_rate, 'commission_rate', new.commission_rate)) then
    raise exception 'shares change with their row of the audit log'
      using errcode = 'check_violation', constraint = 'shares_are_audited';
  end if;
  return null;
end $$;
create constraint trigger require_audit_of_shares after insert on share_terms deferrable initially deferred
  for each row when (not acts_as_owner()) execute function require_audit_of_shares();

-- Quotas of markets and packages, also in single periods.
create function require_audit_of_quota() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare
  written jsonb := to_jsonb(coalesce(new, old));
  subject text := case tg_table_name
    when 'market_quotas' then 'product:' || (written ->> 'product_code')
    when 'package_quotas' then 'package:' || (written ->> 'product_code') || '/' || (written ->> 'package_code')
    else (select 'period:' || period_code from periods where period_id = (written ->> 'period_id')::int) end;
  action text := case tg_table_name
    when 'market_quotas' then 'set_quota' when 'period_quotas' then 'set_period_quota' else 'set_package_quota' end;
  -- Without what the subject says, and without amounts where the quota of a package or a period ends.
  quota jsonb := written - array['product_code', 'period_id']
    - case tg_table_name when 'package_quotas' then array['package_code'] else '{}' end
    - case tg_op when 'DELETE' then array['full_satang', 'half_satang'] else '{}' end;
begin
  if not is_audited_as(subject, array[action], quota, case tg_op when 'DELETE' then 'full_satang' end) then
    raise exception 'a quota changes with its row of the audit log'
      using errcode = 'check_violation', constraint = 'quotas_are_audited';
  end if;
  return null;
end $$;
create constraint trigger require_audit_of_quota after insert or update on market_quotas deferrable initially deferred
  for each row when (not acts_as_owner()) execute function require_audit_of_quota();
create constraint trigger require_audit_of_quota after insert or update or delete on period_quotas deferrable initially deferred
  for each row when (not acts_as_owner()) execute function require_audit_of_quota();
create constraint trigger require_audit_of_quota after insert or update or delete on package_quotas deferrable initially deferred
  for each row when (not acts_as_owner()) execute function require_audit_of_quota();
create constraint trigger require_audit_of_quota after insert or update or delete on period_package_quotas
  deferrable initially deferred for each row when (not acts_as_owner()) execute function require_audit_of_quota();

-- The numbers of a rule, of which there may be thousands: compared at once and together, so their audit rows come first. Each names the
-- period or the market, the value of the rule, and its numbers: one with one number (`set_number`), or one with all of them.
create function require_audit_of_rule() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if exists (
    with ruled as materialized (
      select coalesce('period:' || p.period_code, 'product:' || r.product_code) as subject, r.bet_type || ' ' || r.quota_key as number,
        jsonb_strip_nulls(jsonb_build_object('set_to', l.set_to, 'full_satang', l.full_satang, 'half_satang', l.half_satang,
          'until_date', l.until_date)) as value
      from added r join limit_rules l using (rule_id) left join periods p on p.period_id = r.period_id
    ), written as materialized (
      -- Of this transaction: those of others are in the chain before anybody sees them.
      select a.subject, a.action, a.after, a.after - array['rule_id', 'bet_type', 'number', 'numbers'] as value
      from (select distinct subject from ruled) of_rule join audit_log a on a.subject = of_rule.subject and a.chain_no is null
    )
    select subject, number, value from ruled
    except
    select subject, numbers.number, value from written cross join lateral (
      select jsonb_array_elements_text(after -> 'numbers') as number where action = 'set_limit_rule'
      union all
      select (after ->> 'bet_type') || ' ' || (after ->> 'number') where action = 'set_number'
    ) numbers
  ) then
    raise exception 'numbers are set with their row of the audit log'
      using errcode = 'check_violation', constraint = 'limit_rules_are_audited';
  end if;
  return null;
end $$;
create trigger require_audit_of_rule after insert on limit_rule_rows referencing new table as added
  for each statement when (not acts_as_owner()) execute function require_audit_of_rule();

-- The undo of a rule, in each of its markets, or each of its periods that accepts bets now or later: in others nothing changes.
create function require_audit_of_undo() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if exists (
    select from (select distinct product_code, period_id from limit_rule_rows where rule_id = new.rule_id) ruled
      left join periods p on p.period_id = ruled.period_id
    where (ruled.period_id is null or (p.outcome = 'pending' and p.close_at > clock_timestamp()))
      and not is_audited_as(coalesce('period:' || p.period_code, 'product:' || ruled.product_code), array['undo_limit_rule'],
        jsonb_build_object('rule_id', new.rule_id))
  ) then
    raise exception 'a limit rule is undone with its row of the audit log'
      using errcode = 'check_violation', constraint = 'limit_rules_are_audited';
  end if;
  return null;
end $$;
create constraint trigger require_audit_of_undo after update of undone_at on limit_rules deferrable initially deferred
  for each row when (new.undone_at is not null and old.undone_at is null and not acts_as_owner())
  execute function require_audit_of_undo();

create function require_audit_of_cancel_rules() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if not is_audited_as('product:' || new.product_code, array['change_cancel_rules'], new.cancel_rules) then
    raise exception 'rules of cancelling change with their row of the audit log'
      using errcode = 'check_violation', constraint = 'cancel_rules_are_audited';
  end if;
  return null;
end $$;
create constraint trigger require_audit_of_cancel_rules after update of cancel_rules on products deferrable initially deferred
  for each row when (old.cancel_rules is distinct from new.cancel_rules and not acts_as_owner())
  execute function require_audit_of_cancel_rules();

-- A result as it is compared (`inOneOrder` of `awards/award-results.ts`): lists of numbers in one order, as two people name them in different
-- ones, and without the salt of its audit row.
create function comparable_result(result jsonb) returns jsonb language sql immutable strict set search_path = public, pg_temp
begin atomic
  select coalesce(jsonb_object_agg(key, case jsonb_typeof(value)
    when 'array' then (select coalesce(jsonb_agg(number order by number), '[]') from jsonb_array_elements(value) number)
    else value end), '{}')
  from jsonb_each(case jsonb_typeof(result) when 'object' then result else '{}' end) where key <> 'salt';
end;

-- Results, their corrections and voids need two people, so each of their steps has the audit row of whoever takes it, which names the
-- result, or for whom a void was requested. The row of a correction names the result that was paid too. Compared as a whole: a row that
-- names more numbers than are stored is of another result. A correction also permits an overdraft. Nobody's name is used without a row
-- of that user.
create function require_audit_of_result() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare
  written constant jsonb := to_jsonb(new);
  subject text := (select 'period:' || period_code from periods where period_id = new.period_id);
  stored constant jsonb := comparable_result(case new.state when 'locked' then new.repeated_result else written -> tg_argv[1] end);
  by_actor constant bigint := case new.state when 'entered' then new.entered_by else new.repeated_by end;
begin
  if not exists (
    select 1 from own_audits(subject, array[tg_argv[0] || '_' || new.state]) entry
    where entry.actor_id = by_actor and comparable_result(entry.after) = stored
      and (tg_table_name = 'awards' or comparable_result(entry.before) = comparable_result(written -> 'old_result'))
  ) then
    raise exception 'a result is entered and agreed with rows of the audit log'
      using errcode = 'check_violation', constraint = 'results_are_audited';
  end if;
  return null;
end $$;
create constraint trigger require_audit_of_entry after insert on awards deferrable initially deferred
  for each row when (not acts_as_owner()) execute function require_audit_of_result('award', 'result');
-- One that is agreed and replaced has the row of its correction: `guard_award` compares the two.
create constraint trigger require_audit_of_result after update of state on awards deferrable initially deferred
  for each row when (new.state <> old.state and not acts_as_owner()) execute function require_audit_of_result('award', 'result');
create constraint trigger require_audit_of_entry after insert on award_corrections deferrable initially deferred
  for each row when (not acts_as_owner()) execute function require_audit_of_result('award_correction', 'new_result');
create constraint trigger require_audit_of_result after update of state on award_corrections deferrable initially deferred
  for each row when (new.state <> old.state and new.state <> 'settled' and not acts_as_owner())
  execute function require_audit_of_result('award_correction', 'new_result');

-- What was entered and is not agreed is removed with a row that says what it was and whose. The void of the period removes it too, with its own.
create function require_audit_of_reset() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare
  removed jsonb := to_jsonb(old);
  subject text := (select 'period:' || period_code from periods where period_id = old.period_id and outcome <> 'voiding');
begin
  if subject is not null and not exists (
    select 1 from own_audits(subject, array[tg_argv[0] || '_reset']) entry
    where entry.before @> jsonb_build_object('state', old.state, 'entered_by', old.entered_by)
      and comparable_result(entry.before -> tg_argv[1]) = comparable_result(removed -> tg_argv[1])
  ) then
    raise exception 'what was entered is removed with its row of the audit log'
      using errcode = 'check_violation', constraint = 'results_are_audited';
  end if;
  return null;
end $$;
create constraint trigger require_audit_of_reset after delete on awards deferrable initially deferred
  for each row when (not acts_as_owner()) execute function require_audit_of_reset('award', 'result');
create constraint trigger require_audit_of_reset after delete on award_corrections deferrable initially deferred
  for each row when (not acts_as_owner()) execute function require_audit_of_reset('award_correction', 'new_result');

create function require_audit_of_void() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare
  subject text := case tg_table_name
    when 'void_requests' then 'order:' || (to_jsonb(new) ->> 'order_id')
    else (select 'period:' || period_code from periods where period_id = (to_jsonb(new) ->> 'period_id')::int) end;
  kind text := split_part(subject, ':', 1);
  is_request constant boolean := new.approved_by is null;
begin
  if not is_audited_as(subject, array[case when is_request then 'request_' || kind || '_void' else 'void_' || kind end],
    case when is_request then '{}' else jsonb_build_object('requested_by', new.requested_by) end,
    by_actor => coalesce(new.approved_by, new.requested_by)) then
    raise exception 'a void is requested and approved with rows of the audit log'
      using errcode = 'check_violation', constraint = 'voids_are_audited';
  end if;
  return null;
end $$;
create constraint trigger require_audit_of_request after insert on void_requests deferrable initially deferred
  for each row when (not acts_as_owner()) execute function require_audit_of_void();
create constraint trigger require_audit_of_void after update of approved_by on void_requests deferrable initially deferred
  for each row when (not acts_as_owner()) execute function require_audit_of_void();
create constraint trigger require_audit_of_request after insert on period_voids deferrable initially deferred
  for each row when (not acts_as_owner()) execute function require_audit_of_void();
create constraint trigger require_audit_of_void after update of approved_by on period_voids deferrable initially deferred
  for each row when (not acts_as_owner()) execute function require_audit_of_void();

-- A request is removed with a row that says whose it was: it was rejected or withdrawn, or the next one replaces it.
create function require_audit_of_end() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare
  subject text := case tg_table_name
    when 'void_requests' then 'order:' || (to_jsonb(old) ->> 'order_id')
    else (select 'period:' || period_code from periods where period_id = (to_jsonb(old) ->> 'period_id')::int) end;
  kind text := split_part(subject, ':', 1);
  ends constant text[] := array['reject_' || kind || '_void', 'withdraw_' || kind || '_void'];
  whose constant jsonb := jsonb_build_object('requested_by', old.requested_by);
begin
  if not is_audited_as(subject, ends || ('request_' || kind || '_void'), '{}', was => whose)
    -- Of a ticket it says so with what holds now.
    and not (kind = 'order' and is_audited_as(subject, ends, whose)) then
    raise exception 'a request to void ends with its row of the audit log'
      using errcode = 'check_violation', constraint = 'voids_are_audited';
  end if;
  return null;
end $$;
create constraint trigger require_audit_of_end after delete on void_requests deferrable initially deferred
  for each row when (not acts_as_owner()) execute function require_audit_of_end();
create constraint trigger require_audit_of_end after delete on period_voids deferrable initially deferred
  for each row when (not acts_as_owner()) execute function require_audit_of_end();

-- Failed log-ins with names that no user has. Anybody makes as many as it likes, so they are no rows of the log, which are kept for ever:
-- `audit_unknown_log_ins` makes one row of each minute. Until then a row has the columns and indexes of a row of the log, and costs as
-- much, with all that is done at its commit: the time of a reply does not reveal whether a name exists.
create table unknown_log_ins (like audit_log including defaults including identity including indexes);

-- As `chain_audit`, but the head stays, and the numbers are none of the chain.
create function wait_as_chained() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  head audit_head;
  entry audit_log;
begin
  select * into strict head from audit_head for update;
  select * into strict entry from unknown_log_ins where audit_id = new.audit_id;
  entry.chain_no := -entry.audit_id;
  entry.previous_hash := head.hash;
  entry.hash := audit_hash(entry);
  update unknown_log_ins set chain_no = entry.chain_no, previous_hash = entry.previous_hash, hash = entry.hash
    where audit_id = entry.audit_id;
  update audit_head set chain_no = head.chain_no, hash = head.hash;
  return null;
end $$;
create constraint trigger wait_as_chained after insert on unknown_log_ins deferrable initially deferred
  for each row execute function wait_as_chained();
create trigger append_only before update on unknown_log_ins for each row execute function guard_audit();

-- Records a failed log-in: of a user with a row of the log, of nobody (null) as above.
create function audit_failed_log_in(failed_user_id bigint, from_address text) returns void language plpgsql security definer
  set search_path = public, pg_temp as $$
begin
  if failed_user_id is null then
    insert into unknown_log_ins (address, action, subject) values (from_address, 'log_in_failed', 'user:unknown');
  else
    insert into audit_log (address, action, subject, subject_user_id)
    values (from_address, 'log_in_failed', 'user:' || failed_user_id, failed_user_id);
  end if;
end $$;
revoke execute on function audit_failed_log_in(bigint, text) from public;
grant execute on function audit_failed_log_in(bigint, text) to megalot_app;

-- Makes a row of the log of each minute that is over: how many failed log-ins with unknown names there were, from how many addresses, and
-- the ten addresses with the most.
create function audit_unknown_log_ins() returns void language plpgsql security definer set search_path = public, pg_temp as $$
declare records jsonb;
begin
  with gone as (
    delete from unknown_log_ins where at < date_trunc('minute', clock_timestamp())
    returning date_trunc('minute', at) as minute, address
  ), of_address as (
    select minute, address, count(*) as log_ins,
      row_number() over (partition by minute order by count(*) desc, address) as place
    from gone group by minute, address
  ), of_minute as (
    select minute, sum(log_ins) as log_ins, count(*) as address_count,
      jsonb_agg(coalesce(address, '-') || ' (' || log_ins || ')' order by place) filter (where place <= 10) as addresses
    from of_address group by minute
  )
  select jsonb_agg(jsonb_build_object('action', 'log_in_failed', 'subject', 'user:unknown', 'after',
    jsonb_build_object('minute', minute, 'log_ins', log_ins, 'address_count', address_count, 'addresses', addresses)) order by minute)
  into records from of_minute;
  if records is not null then
    perform write_audit(records);
  end if;
end $$;
revoke execute on function audit_unknown_log_ins() from public;
grant execute on function audit_unknown_log_ins() to megalot_app;
