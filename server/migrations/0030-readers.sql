-- Database roles that only read. They see no secrets: hashes of passwords, sessions and links, users' factors,
-- captchas, and halves of one-time passwords. A table that is added later must be granted here to be readable.

-- For the reader, results and corrections on which two people agree: a first entry must not be visible before the
-- second. A barrier, because an error in a condition would otherwise reveal hidden rows.
create view agreed_awards with (security_barrier = true) as
  select * from awards where state = 'agreed';
create view agreed_corrections with (security_barrier = true) as
  select * from award_corrections where state in ('agreed', 'settled');

do $$
declare
  secret_tables constant text[] := array['alarms', 'attempts_of_day', 'captchas', 'email_links', 'email_notices', 'factor_challenges', 'failed_tries', 'idempotent_requests', 'migrations',
    'recovery_codes', 'recovery_links', 'recovery_requests', 'report_file_parts', 'second_factors', 'setup_links'];
  secret_columns constant text[] := array['approvals.first_half_hash', 'sessions.token_hash', 'users.first_half_hash',
    'users.password_hash'];
  -- What the auditor reads and the reader of reports does not: who did what from where, and how to contact people.
  audit_tables constant text[] := array['approvals', 'audit_check', 'audit_head', 'audit_log', 'auditor_state', 'deferred_audits', 'invariant_breaks',
    'known_devices', 'password_requests', 'sessions', 'unknown_log_ins'];
  -- For these the reader has the views above.
  waiting_tables constant text[] := array['award_corrections', 'awards'];
  -- A code lets anyone who knows it register.
  private_columns constant text[] := array['agent_codes.code', 'users.agent_code', 'agent_contacts.phone', 'agent_contacts.line_id', 'users.email', 'users.phone', 'users.search_text'];
  relation record;
begin
  for relation in
    select relname as name, array_agg(attname::text order by attnum) as columns
    from pg_class join pg_attribute on attrelid = pg_class.oid and attnum > 0 and not attisdropped
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'v') and relname <> all(secret_tables)
    group by relname
  loop
    execute format('grant select %s on %I to megalot_auditor', (
      select case when count(*) = cardinality(relation.columns) then '' else '(' || string_agg(format('%I', name), ', ') || ')' end
      from unnest(relation.columns) name where relation.name || '.' || name <> all(secret_columns)), relation.name);
    continue when relation.name = any(audit_tables || waiting_tables);
    execute format('grant select %s on %I to megalot_reader', (
      select case when count(*) = cardinality(relation.columns) then '' else '(' || string_agg(format('%I', name), ', ') || ')' end
      from unnest(relation.columns) name where relation.name || '.' || name <> all(secret_columns || private_columns)), relation.name);
  end loop;
end $$;

-- No role gets the owner's rights through a function that it was not granted.
do $$
declare of_owner regprocedure;
begin
  for of_owner in select oid from pg_proc
    where pronamespace = 'public'::regnamespace and prosecdef and prorettype <> 'trigger'::regtype
  loop
    execute format('revoke execute on function %s from public', of_owner);
  end loop;
end $$;
