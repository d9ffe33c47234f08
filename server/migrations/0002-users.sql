-- Users as a tree: company > super_senior > senior > master > agent > member. Office users work for the company.

create table users (
  user_id bigint generated always as identity primary key,
  -- Kept in lower case: A and a are the same person.
  username text not null unique check (username ~ '^[a-z0-9]{2,255}$'),
  display_name text not null check (length(display_name) between 1 and 100),
  level text not null check (level in ('company', 'super_senior', 'senior', 'master', 'agent', 'member')),
  is_office boolean not null default false,
  parent_id bigint references users,
  -- From the company down to the parent; set by the database.
  upline_ids bigint[] not null default '{}',
  own_status text not null default 'NORMAL' check (own_status in ('NORMAL', 'DISABLED_BET', 'SUSPENDED')),
  password_hash text not null,
  is_demo boolean not null default false,
  created_at timestamptz not null default clock_timestamp(),
  check (not is_office or level = 'company'),
  check ((parent_id is null) = (level = 'company' and not is_office))
);
create unique index users_one_company on users (level) where level = 'company' and not is_office;
create index users_by_parent on users (parent_id);
create index users_by_upline on users using gin (upline_ids);

create function level_rank(level text) returns int language sql immutable as $$
  select array_position(array['company', 'super_senior', 'senior', 'master', 'agent', 'member'], level)
$$;

create function place_user_in_tree() returns trigger language plpgsql as $$
declare parent users;
begin
  if new.parent_id is null then
    new.upline_ids := '{}';
    return new;
  end if;
  select * into strict parent from users where user_id = new.parent_id;
  if parent.is_office or (not new.is_office and level_rank(parent.level) >= level_rank(new.level)) then
    raise exception 'a % cannot stand under a %', new.level, parent.level using errcode = 'check_violation';
  end if;
  new.upline_ids := parent.upline_ids || parent.user_id;
  return new;
end $$;
create trigger place_user_in_tree before insert on users for each row execute function place_user_in_tree();

-- The strictest of a user's own status and those of all its uplines.
create function effective_status(of_user users) returns text language sql stable as $$
  select case max(case u.own_status when 'SUSPENDED' then 2 when 'DISABLED_BET' then 1 else 0 end)
    when 2 then 'SUSPENDED' when 1 then 'DISABLED_BET' else 'NORMAL' end
  from users u where u.user_id = of_user.user_id or u.user_id = any(of_user.upline_ids)
$$;

grant select, insert, update (display_name, own_status, password_hash) on users to megalot_app;

-- Who did what, when, and why; written in the transaction of the deed itself.
create table audit_log (
  audit_id bigint generated always as identity primary key,
  at timestamptz not null default clock_timestamp(),
  -- Absent: the system itself.
  actor_id bigint references users,
  action text not null,
  subject text not null,
  before jsonb,
  after jsonb,
  reason text
);
create index audit_log_by_subject on audit_log (subject, audit_id);
create trigger append_only before update or delete or truncate on audit_log execute function refuse_change();
-- Not the instant: the database writes it.
grant select, insert (actor_id, action, subject, before, after, reason) on audit_log to megalot_app;
