-- Users as a tree: company > super_senior > senior > master > agent > member. Office users work for the company.
-- Assistants act for a principal (an agent, the company or an office user) and are not in the tree.

create function level_rank(level text) returns int language sql immutable
  return array_position(array['company', 'super_senior', 'senior', 'master', 'agent', 'member'], level);

create function stricter_status(one text, other text) returns text language sql immutable
  return case when 'SUSPENDED' in (one, other) then 'SUSPENDED'
    when 'DISABLED_BET' in (one, other) then 'DISABLED_BET' else 'NORMAL' end;

create aggregate strictest_status(text) (sfunc = stricter_status, stype = text, initcond = 'NORMAL');

create table users (
  user_id bigint generated always as identity primary key,
  -- Lower case, because usernames are case-insensitive.
  username text not null unique check (username ~ '^[a-z0-9]{2,255}$'),
  display_name text not null check (length(display_name) between 1 and 100),
  level text not null check (level in ('company', 'super_senior', 'senior', 'master', 'agent', 'member')),
  is_office boolean not null default false,
  -- The role of an office user, which determines its permissions (`contract/src/permissions.ts`).
  office_role text check (office_role in ('owner', 'operations', 'risk', 'finance', 'support', 'auditor', 'none')),
  parent_id bigint references users,
  -- An assistant's principal; null for all others. `level` and `is_office` of an assistant are its principal's.
  principal_id bigint references users,
  -- The areas of its principal's permissions that an assistant has.
  assistant_areas text[] check (assistant_areas <@ array['people', 'credit', 'terms', 'periods', 'results', 'risk', 'tickets',
    'reports', 'messages', 'maintenance', 'staff', 'audit']),
  -- From the company down to the parent; set by the database.
  upline_ids bigint[] not null default '{}',
  own_status text not null default 'NORMAL' check (own_status in ('NORMAL', 'DISABLED_BET', 'SUSPENDED')),
  -- The strictest of the user's own status and its uplines' statuses. Set by the database, because every call reads it.
  status_in_force text not null default 'NORMAL' check (status_in_force in ('NORMAL', 'DISABLED_BET', 'SUSPENDED')),
  -- Who last set `own_status`; null if no one has. Users further down cannot undo it.
  status_set_by bigint references users,
  password_hash text not null,
  -- SHA-256 of the first half of a one-time password that two people gave. `password_hash` is the second half's.
  first_half_hash bytea check (octet_length(first_half_hash) = 32),
  -- Someone else has set the password. It is valid for one log-in, to set a new one.
  must_change_password boolean not null default false,
  -- Until when such a password opens a session; null for the user's own password. Set by the database.
  password_expires_at timestamptz,
  -- Verified by a mailed link and the password. Not unique, because registration must not reveal who else is
  -- registered. Unverified addresses are in `email_links`.
  email text check (length(email) <= 254),
  email_verified_at timestamptz,
  phone text check (length(phone) <= 20),
  is_demo boolean not null default false,
  -- Whether the member has ever set play limits. Otherwise tickets need no look-up of limits.
  has_play_limits boolean not null default false,
  -- The user's rows of `user_packages`. Set by the database, because every ticket names a package.
  package_ids int[] not null default '{}',
  -- The kinds of the user's second factors. Set by the database, because every call reads it.
  factor_kinds text[] not null default '{}',
  created_at timestamptz not null default clock_timestamp(),
  constraint users_email_is_verified check ((email is null) = (email_verified_at is null)),
  constraint users_halves_are_of_one_time_passwords check (first_half_hash is null or must_change_password),
  constraint users_office_is_company check (not is_office or level = 'company'),
  constraint users_office_has_role check ((is_office and principal_id is null) = (office_role is not null)),
  constraint users_assistants_have_areas check ((principal_id is null) = (assistant_areas is null)),
  constraint users_only_company_has_no_parent
    check ((parent_id is null) = (principal_id is not null or (level = 'company' and not is_office)))
);
create unique index users_one_company on users (level) where level = 'company' and not is_office and principal_id is null;
create index users_by_parent on users (parent_id);
-- Without members, who are the majority of a downline.
create index agents_by_parent on users (parent_id) where level <> 'member';
create index users_by_principal on users (principal_id) where principal_id is not null;
-- No pending list: each search would read all of it, and a change of many users searches once per user.
create index users_by_upline on users using gin (upline_ids) with (fastupdate = off);
create index users_by_email on users (lower(email)) where email is not null;

grant select,
  insert (username, display_name, level, is_office, office_role, parent_id, principal_id, assistant_areas, password_hash,
    must_change_password, phone),
  update (display_name, own_status, status_set_by, password_hash, first_half_hash, must_change_password, has_play_limits,
    office_role, assistant_areas, email, email_verified_at)
  on users to megalot_app;

-- The person behind a user. An assistant and its principal count as one person for decisions that need two people.
create function principal_of(of_user bigint) returns bigint language sql stable
begin atomic
  select coalesce(principal_id, user_id) from users where user_id = of_user;
end;

-- Whether a user is an unsuspended office user. Includes the office's assistants: `is_office` and `status_in_force` are
-- their principal's.
create function is_of_office(of_user bigint) returns boolean language sql stable
begin atomic
  select exists (select from users where user_id = of_user and is_office and status_in_force <> 'SUSPENDED');
end;

-- Refuses a row whose two columns, named by the trigger, hold users of one person, or users outside the office. Null:
-- not set yet.
create function require_two_people() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare
  first bigint := (to_jsonb(new) ->> tg_argv[0])::bigint;
  second bigint := (to_jsonb(new) ->> tg_argv[1])::bigint;
begin
  if principal_of(first) = principal_of(second) then
    raise exception '% needs two people', tg_table_name using errcode = 'check_violation', constraint = 'two_people';
  end if;
  if not acts_as_owner() and not (is_of_office(first) and (second is null or is_of_office(second))) then
    raise exception '% is decided by the office', tg_table_name using errcode = 'check_violation', constraint = 'office_decides';
  end if;
  return new;
end $$;

-- Inserts share this lock; changes that spread down the tree take it exclusively. Otherwise a status change could miss
-- a user being inserted below, or an insert could read a parent's old status. `user_packages` uses it as well.
create function lock_user_tree() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    perform pg_advisory_xact_lock_shared(7361207);
  else
    perform pg_advisory_xact_lock(7361207);
  end if;
  return null;
end $$;
create trigger lock_user_tree before insert or update of own_status, office_role on users
  for each statement execute function lock_user_tree();

-- Places a new user in the hierarchy, and limits the use of a one-time password.
create function complete_user() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare
  parent users;
  principal users;
begin
  new.password_expires_at := case when new.must_change_password then clock_timestamp() + interval '72 hours' end;
  if tg_op = 'UPDATE' then return new; end if;
  if new.principal_id is not null then
    select * into strict principal from users where user_id = new.principal_id;
    if principal.level = 'member' or principal.principal_id is not null then
      raise exception '% has no assistants', principal.username
        using errcode = 'check_violation', constraint = 'users_with_assistants';
    end if;
    new.level := principal.level;
    new.is_office := principal.is_office;
    new.parent_id := null;
    new.upline_ids := '{}';
    new.status_in_force := stricter_status(new.own_status, principal.status_in_force);
    return new;
  end if;
  if new.parent_id is null then
    new.upline_ids := '{}';
    new.status_in_force := new.own_status;
    return new;
  end if;
  select * into strict parent from users where user_id = new.parent_id;
  if parent.is_office or parent.principal_id is not null or (not new.is_office and level_rank(parent.level) >= level_rank(new.level)) then
    raise exception 'a % cannot stand under a %', new.level, parent.level using errcode = 'check_violation';
  end if;
  new.upline_ids := parent.upline_ids || parent.user_id;
  new.status_in_force := stricter_status(new.own_status, parent.status_in_force);
  return new;
end $$;
create trigger complete_user before insert or update of password_hash, must_change_password on users
  for each row execute function complete_user();

-- Writes the effect of a status on all users below, and on assistants, changing only rows that differ. A user depends
-- on those above only through the status in force. If several users of a downline change in one statement, each row is
-- written once. Security definer: the application has no right to write derived columns.
create function apply_status_below() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare in_force text;
begin
  if new.principal_id is not null then
    update users u set status_in_force = stricter_status(u.own_status, p.status_in_force)
    from users p where u.user_id = new.user_id and p.user_id = u.principal_id;
    return null;
  end if;
  -- Reads own statuses of the uplines, because the statuses in force above may not be written yet.
  select strictest_status(x.own_status) into in_force
  from users x where x.user_id = new.user_id or x.user_id = any(new.upline_ids);
  update users u set status_in_force = in_force where u.user_id = new.user_id and u.status_in_force <> in_force;
  if not found or new.level = 'member' then return null; end if;
  update users u set status_in_force = line.status
  from users b cross join lateral (
    select strictest_status(x.own_status) as status from users x where x.user_id = b.user_id or x.user_id = any(b.upline_ids)
  ) line
  where b.upline_ids @> array[new.user_id] and b.level <> 'member' and u.user_id = b.user_id and u.status_in_force <> line.status;
  update users u set status_in_force = stricter_status(u.own_status, p.status_in_force)
  from users p
  where u.upline_ids @> array[new.user_id] and u.level = 'member' and p.user_id = u.parent_id
    and u.status_in_force <> stricter_status(u.own_status, p.status_in_force);
  update users u set status_in_force = stricter_status(u.own_status, p.status_in_force)
  from users p
  where p.user_id = u.principal_id and (p.user_id = new.user_id or p.upline_ids @> array[new.user_id])
    and u.status_in_force <> stricter_status(u.own_status, p.status_in_force);
  return null;
end $$;
-- Triggers fire in the order of their names: this one locks users before another locks their sessions, as a log-in
-- does.
create trigger apply_status_below after update on users for each row
  when (new.own_status is distinct from old.own_status) execute function apply_status_below();

-- At least one user can always grant roles. Changes of roles and statuses are serialised (`lock_user_tree`): of two
-- owners that take each other's role, one succeeds.
create function keep_an_owner() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if not exists (select 1 from users where office_role = 'owner' and own_status <> 'SUSPENDED') then
    raise exception 'the office has one owner at least' using errcode = 'check_violation', constraint = 'office_keeps_an_owner';
  end if;
  return null;
end $$;
create trigger keep_an_owner after update of office_role, own_status on users for each row
  when (old.office_role = 'owner' and (new.office_role <> 'owner' or new.own_status = 'SUSPENDED'))
  execute function keep_an_owner();

-- A status applies to all users below as well. Members and assistants have no users below.
create function notify_live_authority() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if (new.office_role, new.assistant_areas) is distinct from (old.office_role, old.assistant_areas) then
    perform pg_notify('megalot_live', json_build_object('users', json_build_array(new.user_id))::text);
  end if;
  if new.own_status <> old.own_status then
    perform pg_notify('megalot_live', case when new.level = 'member' or new.principal_id is not null
      then json_build_object('sessions', json_build_array(new.user_id))::text else '{"statuses":true}' end);
  end if;
  return null;
end $$;
create trigger notify_live after update of office_role, assistant_areas, own_status on users
  for each row execute function notify_live_authority();

-- Codes for registration: a person who registers with one becomes a member of its agent.
create table agent_codes (
  code text primary key check (code ~ '^[A-Z0-9]{4,20}$'),
  user_id bigint not null references users,
  is_active boolean not null default true,
  created_at timestamptz not null default clock_timestamp()
);
create index agent_codes_by_user on agent_codes (user_id);
grant select, insert (code, user_id), update (is_active) on agent_codes to megalot_app;

-- What each level takes of its downline's stakes (position), the most that it and all agents below it take of a stake
-- together (line rate), and its discount above its members' (commission). Rows never change. A period uses the terms in
-- force at its `shares_at`, so the shares of a bet are fixed before it is placed, and placing it writes nothing for
-- them.
create table share_terms (
  share_id bigint generated always as identity primary key,
  user_id bigint not null references users,
  -- Hundredths of a percent, in steps of 0.5 %.
  position_rate int not null check (position_rate between 0 and 10000 and position_rate % 50 = 0),
  -- Hundredths of a percent, in steps of 0.5 %.
  line_rate int not null check (line_rate between 0 and 10000 and line_rate % 50 = 0),
  -- Hundredths of a percent.
  commission_rate int not null check (commission_rate between 0 and 10000),
  since_at timestamptz not null default clock_timestamp(),
  set_by bigint references users,
  constraint shares_within_line check (position_rate <= line_rate)
);
create index share_terms_by_user on share_terms (user_id, since_at desc);
create index share_terms_by_time on share_terms (since_at);
grant select, insert (user_id, position_rate, line_rate, commission_rate, set_by) on share_terms to megalot_app;

-- A user's terms at an instant; null before the first ones, when all rates are 0.
create function share_terms_at(of_user bigint, instant timestamptz) returns share_terms language sql stable
begin atomic
  select * from share_terms where user_id = of_user and since_at <= instant order by since_at desc, share_id desc limit 1;
end;

-- Terms take effect at the instant when they were checked. With an earlier one, a change could precede terms that it
-- was not checked against, and a period that opened in between would give away more than a downline may take. So each
-- is dated after all others, even if the clock has stepped back. The latest terms then take effect once the clock has
-- caught up, and later changes are checked against them until then ('infinity').
create function date_share_terms() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  perform pg_advisory_xact_lock(7361210);
  new.since_at := greatest(clock_timestamp(), (select max(since_at) + interval '1 microsecond' from share_terms));
  return new;
end $$;
-- Fires before `refuse_wrong_shares`, by its name.
create trigger date_share_terms before insert on share_terms for each row execute function date_share_terms();

-- No one gives more than they have. A child's line rate is at most the parent's less the child's position, so positions
-- along a path sum to at most the line rate at its top, and the company keeps the rest (decision 191). No level has a
-- higher commission than the level above it. Members have no shares. Reads only what a change can violate, because
-- other changes of shares wait meanwhile: the direct agents only if they could have more than is left.
create function refuse_wrong_shares() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare
  changed users;
  before share_terms;
  above share_terms;
begin
  -- One change at a time: two changes may each be valid but not together.
  perform pg_advisory_xact_lock(7361210);
  select * into changed from users where user_id = new.user_id;
  before := share_terms_at(new.user_id, 'infinity');
  above := share_terms_at(changed.parent_id, 'infinity');
  if changed.level = 'member' and new.line_rate + new.commission_rate > 0
    -- The company has the whole of each stake, and pays any commission.
    or cardinality(changed.upline_ids) > 1 and (new.line_rate > coalesce(above.line_rate - above.position_rate, 0)
      or new.commission_rate > coalesce(above.commission_rate, 0))
    or (new.line_rate - new.position_rate < coalesce(before.line_rate - before.position_rate, 0)
      or new.commission_rate < coalesce(before.commission_rate, 0)) and exists (
      select 1 from users child cross join lateral share_terms_at(child.user_id, 'infinity') terms
      where child.parent_id = new.user_id and child.level <> 'member'
        and (terms.line_rate > new.line_rate - new.position_rate or terms.commission_rate > new.commission_rate)) then
    raise exception 'the shares of a line do not fit' using errcode = 'check_violation', constraint = 'shares_within_line';
  end if;
  return new;
end $$;
create trigger refuse_wrong_shares before insert on share_terms for each row execute function refuse_wrong_shares();

-- Executed requests with their outcome. A repeated request gets the same reply (`changes/idempotent-replay.ts`).
create table idempotent_requests (
  actor_id bigint not null references users,
  request_id text collate "C" not null,
  -- SHA-256 of the action and the content sent with the request_id, without passwords.
  content_hash bytea not null,
  -- Null only within the executing transaction.
  outcome jsonb,
  at timestamptz not null default clock_timestamp(),
  primary key (actor_id, request_id)
);
create index idempotent_requests_by_time on idempotent_requests (at);
grant select, insert (actor_id, request_id, content_hash), update (outcome), delete on idempotent_requests to megalot_app;
