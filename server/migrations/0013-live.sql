-- What changes seldom, and by several hands (any node, the office's command line, a person with psql), is told to all nodes
-- by the database itself, with the commit. Commits that notify wait for each other, so that nothing here may be written when
-- a ticket is: tickets are told by the node that took them, some times a second, whatever their number.

create function tell_live() returns trigger language plpgsql as $$
begin
  perform pg_notify('megalot_live', tg_argv[0]);
  return null;
end $$;

create function tell_live_user() returns trigger language plpgsql as $$
begin
  perform pg_notify('megalot_live', json_build_object(tg_argv[0], json_build_array(new.user_id))::text);
  return null;
end $$;

-- Several notifications of the same words are one, where a transaction makes many.
create trigger tell_live after insert or update of open_at, close_at on periods for each row
  execute function tell_live('{"markets":true}');
create trigger tell_live_results after update of outcome on periods for each row
  when (new.outcome in ('settled', 'void') and new.outcome <> old.outcome) execute function tell_live('{"results":true}');
create trigger tell_live after update of is_enabled on products for each row
  when (new.is_enabled <> old.is_enabled) execute function tell_live('{"markets":true}');

create trigger tell_live after update of ended_at on sessions for each row
  when (new.ended_at is not null) execute function tell_live_user('sessions');
-- A status holds for everybody below, too.
create trigger tell_live after update of own_status on users for each row
  when (new.own_status <> old.own_status) execute function tell_live('{"statuses":true}');
-- The credit limit. A balance moves with every ticket and is not named here.
create trigger tell_live after update of floor_satang on accounts for each row
  when (new.user_id is not null and new.floor_satang <> old.floor_satang) execute function tell_live_user('users');
