-- Every call asks for the strictest status of its user and all uplines: it is kept on the user, by the database alone.

alter table users add column status_in_force text not null default 'NORMAL'
  check (status_in_force in ('NORMAL', 'DISABLED_BET', 'SUSPENDED'));

create function stricter_status(one text, other text) returns text language sql immutable as $$
  select case when 'SUSPENDED' in (one, other) then 'SUSPENDED'
    when 'DISABLED_BET' in (one, other) then 'DISABLED_BET' else 'NORMAL' end
$$;

update users set status_in_force = effective_status(users);

-- A user is placed under a parent while no status changes, and statuses change one after another: otherwise a change could
-- miss somebody who is just being made, or work with an upline's old status.
create function wait_for_tree() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform pg_advisory_xact_lock_shared(7361207);
  else
    perform pg_advisory_xact_lock(7361207);
  end if;
  return null;
end $$;
create trigger wait_for_tree before insert or update of own_status on users
  for each statement execute function wait_for_tree();

create or replace function place_user_in_tree() returns trigger language plpgsql as $$
declare parent users;
begin
  if new.parent_id is null then
    new.upline_ids := '{}';
    new.status_in_force := new.own_status;
    return new;
  end if;
  select * into strict parent from users where user_id = new.parent_id;
  if parent.is_office or (not new.is_office and level_rank(parent.level) >= level_rank(new.level)) then
    raise exception 'a % cannot stand under a %', new.level, parent.level using errcode = 'check_violation';
  end if;
  new.upline_ids := parent.upline_ids || parent.user_id;
  new.status_in_force := stricter_status(new.own_status, parent.status_in_force);
  return new;
end $$;

-- Runs as the owner: nobody else can write what is derived.
create function spread_status() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update users u set status_in_force = (
    select case max(case x.own_status when 'SUSPENDED' then 2 when 'DISABLED_BET' then 1 else 0 end)
      when 2 then 'SUSPENDED' when 1 then 'DISABLED_BET' else 'NORMAL' end
    from users x where x.user_id = u.user_id or x.user_id = any(u.upline_ids))
  where u.user_id = new.user_id or u.upline_ids @> array[new.user_id];
  return null;
end $$;
-- Its name comes first in the alphabet, and so it runs first: users are locked before their sessions, as by a log-in.
create trigger apply_status_below after update on users for each row
  when (new.own_status is distinct from old.own_status) execute function spread_status();

create or replace function effective_status(of_user users) returns text language sql stable as $$
  select of_user.status_in_force
$$;
