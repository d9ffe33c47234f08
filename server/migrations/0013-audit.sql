-- The audit log: who did what, for whom, from where, before and after, and why; written in the transaction of the
-- change. No permission or amount is read from it. A changed setting requires a row (`require_audit`). Rows form a hash
-- chain: each holds the hash of the previous one, so a row that is later removed, changed, inserted or moved is
-- detected.

create table audit_log (
  audit_id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  -- Null for the system.
  actor_id bigint references users,
  -- The actor's principal; set by the database.
  principal_id bigint references users,
  -- The address of the call; null for a job.
  address text,
  action text not null,
  -- The object of the action: `period:thai-government-20261201`.
  subject text not null,
  -- The user concerned, if any; set by the database if the subject is a user.
  subject_user_id bigint references users,
  before jsonb,
  after jsonb,
  reason text,
  -- For address, before, after and reason: a random value, and the SHA-256 of both. The chain holds these digests
  -- instead of the contents, so that erasing a person can remove contents, with their random values, and leave the chain
  -- whole. Without the random value a digest reveals nothing. Set at the commit.
  salts bytea[],
  digests bytea[],
  -- Position in the chain, from 1 without gaps, set at the commit.
  chain_no bigint unique check (chain_no > 0),
  -- Hashes of the previous row and of this row (`audit_hash`).
  previous_hash bytea,
  hash bytea,
  constraint audit_chained_as_a_whole
    check ((chain_no is null) = (hash is null) and (chain_no is null) = (previous_hash is null)
      and (chain_no is null) = (digests is null) and (chain_no is null) = (salts is null))
);
-- For the audit reader's filters, in chain order (`audit.store.ts`).
create index audit_log_by_subject on audit_log (subject, chain_no);
create index audit_log_by_user on audit_log (subject_user_id, chain_no);
-- For signals: credit changes and result entries are rare compared with log-ins.
create index audit_log_of_credit on audit_log (at) where action = 'change_credit_limit';
create index audit_log_of_results on audit_log (at) where action like 'award%';
-- Entries of results: the latest of each action that ends them (`endings.ts` names the same actions).
create index audit_log_of_decisions on audit_log (action, at desc, audit_id desc)
  where action in ('award_agreed', 'award_locked', 'award_reset', 'award_correction_agreed', 'award_correction_locked',
    'award_correction_reset');
create index audit_log_by_actor on audit_log (actor_id, chain_no);
create index audit_log_by_principal on audit_log (principal_id, chain_no);
create index audit_log_by_action on audit_log (action, chain_no);

-- The end of the chain. Its row lock serialises transactions that write audit rows.
create table audit_head (
  is_only boolean primary key default true check (is_only),
  chain_no bigint not null,
  hash bytea not null
);
insert into audit_head (chain_no, hash) values (0, decode(repeat('00', 32), 'hex'));

-- SHA-256 over every column except `hash` and `salts`, with digests in place of contents, each as its length in bytes, a
-- colon and its text, or a hyphen for null. The verification computes the same independently (`audit-chain.ts`).
create function audit_hash(entry audit_log) returns bytea language sql immutable
begin atomic
  select sha256(convert_to(string_agg(coalesce(octet_length(field) || ':' || field, '-'), ',' order by position), 'UTF8'))
  from unnest(array[entry.chain_no::text, encode(entry.previous_hash, 'hex'), entry.audit_id::text,
    (extract(epoch from entry.at) * 1000000)::bigint::text, entry.actor_id::text, entry.principal_id::text,
    encode(entry.digests[1], 'hex'), entry.action, entry.subject, entry.subject_user_id::text,
    encode(entry.digests[2], 'hex'), encode(entry.digests[3], 'hex'), encode(entry.digests[4], 'hex')])
    with ordinality as fields (field, position);
end;

-- The salts and digests of a row's contents; null where a content is null.
create function digest_contents(entry audit_log) returns audit_log language plpgsql set search_path = public, pg_temp as $$
begin
  entry.salts := array[
    case when entry.address is not null then uuid_send(gen_random_uuid()) end,
    case when entry.before is not null then uuid_send(gen_random_uuid()) end,
    case when entry.after is not null then uuid_send(gen_random_uuid()) end,
    case when entry.reason is not null then uuid_send(gen_random_uuid()) end];
  entry.digests := array[
    sha256(entry.salts[1] || convert_to(entry.address, 'UTF8')),
    sha256(entry.salts[2] || convert_to(entry.before::text, 'UTF8')),
    sha256(entry.salts[3] || convert_to(entry.after::text, 'UTF8')),
    sha256(entry.salts[4] || convert_to(entry.reason, 'UTF8'))];
  return entry;
end $$;

-- Adds all rows of the transaction to the chain, when called for the first of them. Runs at the commit, after all other
-- work, so that the lock of the head is the last lock, which prevents deadlocks, and is held only for the commit. The
-- head is written once, because later transactions would have to skip each further version of its row.
create function chain_audit() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  head audit_head;
  entry audit_log;
begin
  if (select chain_no is not null from audit_log where audit_id = new.audit_id) then return null; end if;
  select * into strict head from audit_head for update;
  -- Rows of other transactions are not visible before they are chained.
  for entry in select * from audit_log where audit_id >= new.audit_id and chain_no is null order by audit_id loop
    entry := digest_contents(entry);
    entry.chain_no := head.chain_no + 1;
    entry.previous_hash := head.hash;
    entry.hash := audit_hash(entry);
    update audit_log set chain_no = entry.chain_no, previous_hash = entry.previous_hash, hash = entry.hash,
        salts = entry.salts, digests = entry.digests
      where audit_id = entry.audit_id;
    head.chain_no := entry.chain_no;
    head.hash := entry.hash;
  end loop;
  update audit_head set chain_no = head.chain_no, hash = head.hash;
  return null;
end $$;
create constraint trigger chain_audit after insert on audit_log deferrable initially deferred
  for each row execute function chain_audit();

-- Only the chain is added to a row, once; and the transaction that erases a person removes contents with their salts.
create function guard_audit() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare
  chain constant text[] := array['chain_no', 'previous_hash', 'hash', 'salts', 'digests'];
  contents constant text[] := array['address', 'before', 'after', 'reason', 'salts'];
begin
  if tg_op = 'UPDATE' and old.chain_no is null and new.chain_no is not null
    and to_jsonb(new) - chain = to_jsonb(old) - chain then
    return new;
  end if;
  if tg_op = 'UPDATE' and to_jsonb(new) - contents = to_jsonb(old) - contents
    and (new.address is null or new.address = old.address) and (new.before is null or new.before = old.before)
    and (new.after is null or new.after = old.after) and (new.reason is null or new.reason = old.reason)
    and (is_executed_now('erase_person', 'user:' || new.subject_user_id)
      or is_executed_now('erase_person', 'user:' || new.actor_id)) then
    return new;
  end if;
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end $$;
create trigger append_only before update or delete on audit_log for each row execute function guard_audit();
create trigger no_truncate before truncate on audit_log execute function refuse_change();

-- Writes audit rows from a JSON array of records. This is the application's only way to write them, except for failed
-- log-ins. Time, principal and chain are set by the database.
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
grant execute on function write_audit(jsonb) to megalot_app;
grant select on audit_log, audit_head to megalot_app;

-- Audit rows that the owner's jobs have yet to write. A log-in that may write the log can block the end of the chain,
-- and alerts must not wait for that. A row leaves this table in the transaction that writes it, so none is lost or
-- written twice.
create table deferred_audits (
  deferred_id bigint generated always as identity primary key,
  -- As `write_audit` takes it.
  record jsonb not null
);

-- Refuses, at the commit, a row that the application has changed without an audit row about it in the same transaction,
-- so that anyone using its log-in leaves a trace in the chain. The content of the audit row is up to the application
-- (decision 175). Arguments: the subject of such an audit row as a prefix and a column, or several as expressions over the
-- changed row's columns, which are planned anew for each row. Each trigger excludes the owner in its condition, evaluated when the row changes, because a security definer function acts
-- as the owner. A change without a subject needs no row: a limit rule without numbers.
create function require_audit() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare
  changed record := case tg_op when 'DELETE' then old else new end;
  subjects text[];
begin
  if tg_nargs = 2 then
    subjects := array[tg_argv[0] || (to_jsonb(changed) ->> tg_argv[1])];
  else
    execute format('select array[%s] from (select ($1).*) changed', tg_argv[0]) into subjects using changed;
  end if;
  -- The newest row of a subject is of this transaction if there is one: it is unchained, which others' rows never are
  -- when they become visible, or an earlier row has already chained it.
  if subjects <> array[null::text] and not exists (
    select 1 from unnest(subjects) of_subject cross join lateral (
      select chain_no, xmin as written_in from audit_log where subject = of_subject order by chain_no desc limit 1
    ) newest
    where chain_no is null or written_in = pg_current_xact_id()::xid
  ) then
    raise exception 'a row of % changes with a row of the audit log', tg_table_name
      using errcode = 'check_violation', constraint = 'changes_are_audited';
  end if;
  return null;
end $$;

create constraint trigger require_audit after insert or update of own_status, display_name, office_role, assistant_areas,
  password_hash, first_half_hash, email on users deferrable initially deferred
  for each row when (not acts_as_owner()) execute function require_audit('user:', 'user_id');
create constraint trigger require_audit after insert or update of floor_satang on accounts deferrable initially deferred
  for each row when (new.kind = 'cash' and not acts_as_owner()) execute function require_audit('user:', 'user_id');
create constraint trigger require_audit after insert or update of is_active on agent_codes deferrable initially deferred
  for each row when (not acts_as_owner()) execute function require_audit('user:', 'user_id');
create constraint trigger require_audit after insert on share_terms deferrable initially deferred
  for each row when (not acts_as_owner()) execute function require_audit('user:', 'user_id');
create constraint trigger require_audit after update on products deferrable initially deferred
  for each row when (not acts_as_owner()) execute function require_audit('product:', 'product_code');
create constraint trigger require_audit after insert or update or delete on maintenances deferrable initially deferred
  for each row when (not acts_as_owner()) execute function require_audit(
    $$'product' || case scope when '' then '' else ':' || scope end$$);
create constraint trigger require_audit after insert or update or delete on announcements deferrable initially deferred
  for each row when (not acts_as_owner()) execute function require_audit('announcement:', 'announce_id');
-- Who created a period outside the timetable, or moved it; a timetable change moves several.
create constraint trigger require_audit after insert on periods deferrable initially deferred
  for each row when (new.is_manual and not acts_as_owner()) execute function require_audit('period:', 'period_code');
create constraint trigger require_audit_of_times after update of open_at, close_at, draw_at on periods deferrable initially deferred
  for each row when (not acts_as_owner()) execute function require_audit(
    $$'period:' || period_code, 'product:' || product_code$$);
create constraint trigger require_audit after update on packages deferrable initially deferred
  for each row when (not acts_as_owner()) execute function require_audit($$'package:' || product_code || '/' || package_code$$);
create constraint trigger require_audit after insert or update on package_terms deferrable initially deferred
  for each row when (not acts_as_owner()) execute function require_audit(
    $$(select 'package:' || product_code || '/' || package_code from packages where packages.package_id = changed.package_id)$$);
create constraint trigger require_audit after insert or update or delete on quotas deferrable initially deferred
  for each row when (not acts_as_owner()) execute function require_audit(
    $$case when period_id is not null then 'period:' || (select period_code from periods where periods.period_id = changed.period_id)
      when package_code is not null then 'package:' || product_code || '/' || package_code
      else 'product:' || product_code end$$);
-- One check per rule, which may have thousands of numbers. An undo only matters in markets and periods that accept
-- bets.
create constraint trigger require_audit after insert or update of undone_at on limit_rules deferrable initially deferred
  for each row when (not acts_as_owner()) execute function require_audit(
    $$(select coalesce('period:' || period_code, 'product:' || numbers.product_code)
      from limit_rule_rows numbers left join periods on periods.period_id = numbers.period_id
      where numbers.rule_id = changed.rule_id order by close_at desc nulls first limit 1)$$);
create constraint trigger require_audit after insert or update or delete on awards deferrable initially deferred
  for each row when (not acts_as_owner()) execute function require_audit(
    $$'period:' || (select period_code from periods where periods.period_id = changed.period_id)$$);
create constraint trigger require_audit after insert or delete or update of repeated_by on award_corrections
  deferrable initially deferred
  for each row when (not acts_as_owner()) execute function require_audit(
    $$'period:' || (select period_code from periods where periods.period_id = changed.period_id)$$);
create constraint trigger require_audit after insert on period_voids deferrable initially deferred
  for each row when (not acts_as_owner()) execute function require_audit(
    $$'period:' || (select period_code from periods where periods.period_id = changed.period_id)$$);

-- Failed log-ins with unknown names. Anyone can cause any number of them, so they are not rows of the log, which are
-- kept for ever: `audit_unknown_log_ins` makes one row per minute. They have the columns and indexes of an audit row
-- and cost as much, including the work at the commit, so that response times do not reveal whether a name exists.
create table unknown_log_ins (like audit_log including defaults including identity including indexes);

-- As `chain_audit`, but without changing the head, and without chain numbers.
create function wait_as_chained() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  head audit_head;
  entry audit_log;
begin
  select * into strict head from audit_head for update;
  select * into strict entry from unknown_log_ins where audit_id = new.audit_id;
  entry := digest_contents(entry);
  entry.chain_no := -entry.audit_id;
  entry.previous_hash := head.hash;
  entry.hash := audit_hash(entry);
  update unknown_log_ins set chain_no = entry.chain_no, previous_hash = entry.previous_hash, hash = entry.hash,
      salts = entry.salts, digests = entry.digests
    where audit_id = entry.audit_id;
  update audit_head set chain_no = head.chain_no, hash = head.hash;
  return null;
end $$;
create constraint trigger wait_as_chained after insert on unknown_log_ins deferrable initially deferred
  for each row execute function wait_as_chained();

-- Records a failed log-in: of a user with an audit row, of an unknown name (null) as above.
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
grant execute on function audit_failed_log_in(bigint, text) to megalot_app;

-- Makes one audit row per past minute: how many failed log-ins with unknown names there were, from how many addresses,
-- and the ten most frequent addresses.
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
grant execute on function audit_unknown_log_ins() to megalot_app;
