-- The roles of the database, and the functions that several tables share.
--
-- Functions look up names in `public` first and in temporary tables last: otherwise a caller's temporary table could stand in
-- for ours. Functions in PL/pgSQL set `search_path` themselves. Short SQL functions have a parsed body (`return …`,
-- `begin atomic`), whose names were resolved when they were created, so that PostgreSQL can still inline them.

-- Roles belong to the server and not to one database. An owner that may not create roles finds them made and granted (`server/roles.sql`).
--
-- megalot_app: what the application may do. megalot_reader: reports. megalot_auditor: the same, and the audit log.
do $$
declare role text;
begin
  foreach role in array array['megalot_app', 'megalot_reader', 'megalot_auditor'] loop
    if to_regrole(role) is null then
      begin
        execute format('create role %I nologin', role);
      exception when duplicate_object or unique_violation then null;
      end;
    end if;
    begin
      execute format('grant %I to %I', role, current_user);
    exception when insufficient_privilege then
      if not pg_has_role(current_user, role, 'member') then raise; end if;
    end;
  end loop;
end $$;
grant usage on schema public to megalot_app, megalot_reader, megalot_auditor;

-- Whether a statement runs with the rights of the owner of the tables: a migration, a seed, a command of the owner, or a function
-- that is security definer. Everybody else is the application, whatever role its connection has taken.
create function acts_as_owner() returns boolean language sql stable set search_path = public, pg_temp as $$
  select pg_has_role(current_user, (select relowner from pg_class where oid = to_regclass('public.users')), 'usage')
$$;

-- Refuses what its trigger is for, for the owner too, with the message and the constraint that the trigger names. Without them it
-- makes a table append-only.
create function refuse_change() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  raise exception '%', coalesce(tg_argv[0], tg_table_name || ' is append-only')
    using errcode = 'insufficient_privilege', constraint = coalesce(tg_argv[1], '');
end $$;

-- Whether `place_batch` is running, which does the work of some triggers itself. The application cannot claim it.
-- It runs with the rights of the owner of the tables.
create function is_placing_batch() returns boolean language sql stable set search_path = public, pg_temp as $$
  select current_setting('megalot.placing_batch', true) is not distinct from 'yes'
    and current_user = (select pg_get_userbyid(relowner) from pg_class where oid = to_regclass('public.orders'))
$$;

-- Gives the transaction its number before a statement draws the ids of its rows. Whoever reads what is new goes by both: once all
-- transactions have ended that were running when an id was drawn, no lower id can appear any more (`auditor_state`, `book_cursor`).
-- A sub-select could otherwise wait between the id and the row, which is what gives the number. Without a condition: a batch has its number
-- already, and to ask whether one is placed is no cheaper.
create function take_transaction_id() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  perform pg_current_xact_id();
  return null;
end $$;

-- Fails, and with it the transaction, when a precondition of the caller does not hold. `what` names it: the caller reads it
-- from the error as the violated constraint (`postgres/constraints.ts`).
create function assert_precondition(holds boolean, what text) returns void language plpgsql
  set search_path = public, pg_temp as $$
begin
  if holds is not true then
    raise exception 'the precondition % does not hold', what using errcode = 'check_violation', constraint = what;
  end if;
end $$;

-- Publishes a change to all nodes with the commit, whoever made it: a node, the command line of the office, or psql.
-- Transactions that notify commit one after another. Therefore no trigger that notifies may fire when a ticket is placed; the
-- node that placed tickets publishes them, a few times a second.
-- Equal notifications of one transaction are sent once.
create function notify_live() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  perform pg_notify('megalot_live', tg_argv[0]);
  return null;
end $$;

create function notify_live_user() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  perform pg_notify('megalot_live', json_build_object(tg_argv[0], json_build_array(new.user_id))::text);
  return null;
end $$;
