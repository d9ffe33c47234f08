-- The database's roles, and functions shared by several tables.
-- Functions look up names in `public` first and in temporary tables last, so that a caller's temporary table cannot
-- stand in for ours. PL/pgSQL functions set `search_path` themselves. Short SQL functions have a parsed body (`return
-- …`, `begin atomic`) with names resolved at creation, so that PostgreSQL can still inline them.

-- Roles belong to the server, not to one database. An owner that may not create roles finds them created and granted
-- (`server/roles.sql`).
-- megalot_app: what the application may do. megalot_reader: reports. megalot_auditor: the same, and the audit log.
do $$
declare role text;
begin
  foreach role in array array['megalot_app', 'megalot_reader', 'megalot_auditor'] loop
    if to_regrole(role) is null then
      begin
        execute format('create role %I nologin', role);
      exception
        when duplicate_object or unique_violation then null;
        when insufficient_privilege then
          raise exception 'The log-in % may not create roles. Ask whoever administers the server for: create role megalot_app; create role megalot_reader; create role megalot_auditor; grant megalot_app, megalot_reader, megalot_auditor to %', current_user, quote_ident(current_user);
      end;
    end if;
    begin
      execute format('grant %I to %I', role, current_user);
    exception when insufficient_privilege then
      if not pg_has_role(current_user, role, 'member') then
        raise exception 'The role % exists and is not granted to %. Ask whoever administers the server for: grant megalot_app, megalot_reader, megalot_auditor to %', role, current_user, quote_ident(current_user);
      end if;
    end;
  end loop;
end $$;
grant usage on schema public to megalot_app, megalot_reader, megalot_auditor;
-- For the check of the set-up that the schema is that of the version which runs.
grant select (name) on migrations to megalot_app;

-- Whether a statement runs with the rights of the tables' owner: a migration, a seed, an owner's command, or a security
-- definer function. Otherwise the caller is the application, whatever role its connection has taken.
create function acts_as_owner() returns boolean language sql stable set search_path = public, pg_temp as $$
  select pg_has_role(current_user, (select relowner from pg_class where oid = to_regclass('public.users')), 'usage')
$$;

-- Refuses the operation of its trigger, even for the owner, with the message and constraint that the trigger names.
-- Without these it makes a table append-only.
create function refuse_change() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  raise exception '%', coalesce(tg_argv[0], tg_table_name || ' is append-only')
    using errcode = 'insufficient_privilege', constraint = coalesce(tg_argv[1], '');
end $$;

-- Whether `place_batch` is running, which does the work of some triggers itself. It runs with the owner's rights, so
-- the application cannot fake it.
create function is_placing_batch() returns boolean language sql stable set search_path = public, pg_temp as $$
  select current_setting('megalot.placing_batch', true) is not distinct from 'yes'
    and current_user = (select pg_get_userbyid(relowner) from pg_class where oid = to_regclass('public.orders'))
$$;

-- Assigns the transaction id before a statement draws ids for its rows. Readers of new rows rely on both: once all
-- transactions have ended that were running when an id was drawn, no lower id can appear (`auditor_state`,
-- `book_cursor`). Otherwise a sub-select could wait between the id and the row, which is what assigns the transaction
-- id. Unconditional, because checking for a running batch, which already has its transaction id, is no cheaper.
create function take_transaction_id() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  perform pg_current_xact_id();
  return null;
end $$;

-- Fails, with its transaction, if a precondition of the caller does not hold. `what` names the precondition; the caller
-- reads it from the error as the violated constraint (`postgres/constraints.ts`).
create function assert_precondition(holds boolean, what text) returns void language plpgsql
  set search_path = public, pg_temp as $$
begin
  if holds is not true then
    raise exception 'the precondition % does not hold', what using errcode = 'check_violation', constraint = what;
  end if;
end $$;

-- Publishes a change to all nodes at the commit, whether made by a node, the office's command line or psql.
-- Transactions that notify commit one after another. Therefore no notifying trigger may fire when a ticket is placed;
-- the node that placed tickets publishes them a few times per second. Equal notifications of one transaction are sent
-- once.
create function notify_live() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  perform pg_notify('megalot_live', tg_argv[0]);
  return null;
end $$;

-- An id below which all rows of a table are at least ten minutes older than an instant, by binary search. Ids rise with
-- time, except among concurrent transactions, so callers compare the instants too. Null without an instant.
create function id_before(of_table text, id text, at text, instant timestamptz) returns bigint language plpgsql stable strict
  set search_path = public, pg_temp as $$
declare
  probe constant text := format('select %3$I from %1$I where %2$I >= $1 order by %2$I limit 1', of_table, id, at);
  low bigint;
  high bigint;
  middle bigint;
  seen timestamptz;
begin
  execute format('select coalesce(min(%2$I), 1) - 1, coalesce(max(%2$I), 0) + 1 from %1$I', of_table, id) into low, high;
  while high - low > 1 loop
    middle := (low + high) / 2;
    execute probe into seen using middle;
    if seen < instant - interval '10 minutes' then low := middle; else high := middle; end if;
  end loop;
  return low;
end $$;
