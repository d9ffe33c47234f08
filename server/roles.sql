-- The log-ins of a database, made before the first migration by a superuser of the server, who is not needed afterwards. On a managed
-- PostgreSQL the owner of the database runs it, who must have CREATEROLE: what takes a superuser is skipped and named, and `office doctor`
-- names it too. Leave the line of log_statement out there. Run again,
-- it sets the passwords and the settings of the log-ins anew and changes nothing else. The passwords are settings of the session; one that is absent leaves its
-- log-in out:
--
--   psql "$SUPERUSER_URL" -v ON_ERROR_STOP=1 <<EOF
--   set log_statement = 'none';
--   set megalot.owner_password = '…';
--   set megalot.app_password = '…';
--   set megalot.reader_password = '…';
--   set megalot.auditor_password = '…';
--   set megalot.checker_password = '…';
--   \i server/roles.sql
--   EOF
--
-- megalot_owner          owns the database: migrations, jobs, first start           OWNER_DATABASE_URL
-- megalot_login          becomes megalot_app, and for reports megalot_auditor       DATABASE_URL
-- megalot_reader_login   becomes megalot_reader: reports of others, never writes
-- megalot_auditor_login  becomes megalot_auditor: the reader's, and the audit log
-- megalot_checker_login  becomes megalot_auditor as well: the job that checks the invariants, and nobody else. Whoever shares a log-in may
--                        end its sessions                                           AUDITOR_DATABASE_URL
--
-- A log-in but the owner's has no right of its own but that of becoming its role with `set role`: a connection that fails to do so can do
-- nothing. Advisory locks and messages in the write-ahead log are for the application and the owner: whoever reads could otherwise stop the
-- bets of a period by taking its lock, and fill the disk. Blocks of PL/pgSQL (`do`) are for the owner.
-- Sessions of those who read end by themselves, unless they say otherwise: one that is forgotten keeps no lock and no old rows. Ten of the
-- reader and ten of the auditor are open at a time: the other connections of the server are for the nodes.

-- An error must not put a password into the server's log. Only a superuser may see to that.
do $$ begin
  perform set_config('log_min_error_statement', 'panic', false), set_config('log_statement', 'none', false);
exception when insufficient_privilege then null;
end $$;

begin;
-- Nodes that start together run it one after another.
select pg_advisory_xact_lock(7361209);

do $$
declare
  given record;
  role text;
  reserved regprocedure;
  unused regprocedure;
  is_superuser boolean := (select rolsuper from pg_roles where rolname = current_user);
begin
  foreach role in array array['megalot_app', 'megalot_reader', 'megalot_auditor'] loop
    if not exists (select 1 from pg_roles where rolname = role) then
      execute format('create role %I nologin', role);
    end if;
  end loop;
  for given in
    select name, roles, nullif(current_setting(setting, true), '') as password from (values
      ('megalot_owner', array['megalot_app', 'megalot_reader', 'megalot_auditor'], 'megalot.owner_password'),
      ('megalot_login', array['megalot_app', 'megalot_auditor'], 'megalot.app_password'),
      ('megalot_reader_login', array['megalot_reader'], 'megalot.reader_password'),
      ('megalot_auditor_login', array['megalot_auditor', 'megalot_reader'], 'megalot.auditor_password'),
      ('megalot_checker_login', array['megalot_auditor'], 'megalot.checker_password')
    ) as log_ins (name, roles, setting)
  loop
    continue when given.password is null;
    if not exists (select 1 from pg_roles where rolname = given.name) then
      execute format('create role %I', given.name);
    end if;
    -- The owner inherits: on PostgreSQL 15 it may write to the schema public only as the owner of the database.
    execute format('alter role %I with login %s %s password %L', given.name,
      case given.name when 'megalot_owner' then 'inherit' else 'noinherit' end,
      case when is_superuser then 'nosuperuser nocreatedb nocreaterole noreplication nobypassrls' end, given.password);
    -- A log-in may change its own settings: what it was given goes.
    execute format('alter role %I reset all', given.name);
    for role in select datname from pg_db_role_setting join pg_database on pg_database.oid = setdatabase where setrole = given.name::regrole loop
      execute format('alter role %I in database %I reset all', given.name, role);
    end loop;
    foreach role in array given.roles loop
      execute format('grant %I to %I', role, given.name);
    end loop;
    execute format('grant connect on database %I to %I', current_database(), given.name);
    if given.name in ('megalot_reader_login', 'megalot_auditor_login', 'megalot_checker_login') then
      execute format('alter role %I set default_transaction_read_only = on', given.name);
      execute format('alter role %I set idle_session_timeout = %L', given.name, '15min');
      execute format('alter role %I set idle_in_transaction_session_timeout = %L', given.name, '1min');
      if is_superuser then
        -- Only a superuser may raise it.
        execute format('alter role %I set temp_file_limit = %L', given.name, '1GB');
        -- Only a superuser may change it. Whoever sends a statement chooses how long the text of its error is, and could fill the log of
        -- the server.
        execute format('alter role %I set log_min_messages = fatal', given.name);
      end if;
      -- The checker's log-in is the application's own: it has a connection or two for each node.
      if given.name <> 'megalot_checker_login' then
        execute format('alter role %I connection limit 10', given.name);
      end if;
    elsif given.name = 'megalot_owner' and is_superuser then
      execute format('alter database %I owner to %I', current_database(), given.name);
    elsif given.name = 'megalot_owner' then
      -- The database stays its owner's.
      execute format('grant create on database %I to %I', current_database(), given.name);
      execute format('grant create, usage on schema public to %I', given.name);
    end if;
  end loop;
  -- The owner ends sessions of those who read, and of nobody else: one that listens within an open transaction would fill the queue of
  -- notifications. A member of a log-in may end its sessions and sees what they do.
  for role in
    select rolname from pg_roles
    where rolname in ('megalot_reader_login', 'megalot_auditor_login') and exists (select from pg_roles where rolname = 'megalot_owner')
  loop
    execute format('grant %I to megalot_owner', role);
  end loop;
  -- Nobody else connects, and a temporary table can stand in for none of ours.
  execute format('revoke connect, temporary on database %I from public', current_database());
  if not is_superuser then
    raise notice 'Not done without a superuser: limits of temporary files and messages, and keeping advisory locks, large objects and blocks of PL/pgSQL from those who only read.';
    return;
  end if;
  for reserved in
    select oid from pg_proc
    where pronamespace = 'pg_catalog'::regnamespace and proname ~ '^pg_((try_)?advisory_|logical_emit_message$)'
      and has_function_privilege('public', oid, 'execute')
  loop
    execute format('revoke execute on function %s from public', reserved);
    -- The owner has it as a member of this role.
    execute format('grant execute on function %s to megalot_app', reserved);
  end loop;
  -- Large objects are kept for ever, and a transaction may export snapshots without end, a file each. Nothing of the application uses them.
  for unused in
    select oid from pg_proc
    where pronamespace = 'pg_catalog'::regnamespace and proname ~ '^(lo(_|write$|read$)|pg_export_snapshot$)' and has_function_privilege('public', oid, 'execute')
  loop
    execute format('revoke execute on function %s from public', unused);
  end loop;
  -- A `do` block can write any text into the log of the server. Calling a function needs no right to its language; creating one does.
  revoke usage on language plpgsql from public;
  execute format('grant usage on language plpgsql to %I',
    (select datdba::regrole::name from pg_database where datname = current_database()));
end $$;
commit;
do $$ begin
  perform set_config(name, reset_val, false) from pg_settings where name in ('log_statement', 'log_min_error_statement');
exception when insufficient_privilege then null;
end $$;
