-- The people of the house: searching and counting downlines, agent codes with their packages and opening credit.

-- In a separate schema, because its functions are not ours.
create schema extensions;
create extension pg_trgm with schema extensions;
grant usage on schema extensions to megalot_app;

-- Room for updates within a page, which need not write the user's indexes.
alter table users set (fillfactor = 80);

-- The text to search, in lower case.
alter table users add search_text text not null generated always as (username || ' ' || lower(display_name)) stored;
create index users_by_text on users using gin (search_text extensions.gin_trgm_ops) with (fastupdate = off);

-- Set by the database with each new session.
alter table users add last_log_in_at timestamptz;

-- For lists of many users: all sort orders, and counts by level and status, without reading the users themselves.
create index users_by_list_name on users (username) include (user_id) where principal_id is null and not is_office;
create index users_by_display_name on users (display_name, user_id) where principal_id is null and not is_office;
create index users_by_last_log_in on users (coalesce(last_log_in_at, '-infinity'), user_id)
  where principal_id is null and not is_office;
create index users_by_kind on users (level, status_in_force, user_id) where principal_id is null and not is_office;
create index user_packages_by_package on user_packages (package_id, user_id);
-- Not by balance, because each ticket would have to write it.
create index accounts_by_limit on accounts (floor_satang, user_id) where kind = 'cash';

-- The code with which a member has registered; null if someone else created the member.
alter table users add agent_code text references agent_codes;
grant insert (agent_code) on users to megalot_app;
create index users_by_agent_code on users (agent_code) where agent_code is not null;

create index sessions_by_user on sessions (user_id, session_id desc);

-- How many users are below an agent or the company, at all levels. Counting would read each of them for each row of a
-- list. Users are never moved or removed, so only new ones change a count.
create table downline_sizes (
  user_id bigint primary key references users,
  member_count int not null default 0,
  agent_count int not null default 0
) with (fillfactor = 70);
grant select on downline_sizes to megalot_app;

create function count_new_users() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into downline_sizes (user_id) select user_id from added where level <> 'member' and not is_office and principal_id is null;
  -- Sorted, so that two inserts into one downline do not deadlock.
  perform 1 from downline_sizes where user_id in (select unnest(upline_ids) from added where not is_office)
    order by user_id for no key update;
  update downline_sizes size set member_count = size.member_count + new_below.members, agent_count = size.agent_count + new_below.agents
  from (
    select upline_id, count(*) filter (where level = 'member') as members, count(*) filter (where level <> 'member') as agents
    from added cross join unnest(upline_ids) upline_id where not is_office group by upline_id
  ) new_below where new_below.upline_id = size.user_id;
  -- Notifies users with a new direct child, and their assistants. 400 users per notification, which holds at most 8,000
  -- bytes.
  perform pg_notify('megalot_live', json_build_object('people', json_agg(user_id))::text)
    from (
      select user_id, row_number() over (order by user_id) / 400 as part from (
        select parent_id as user_id from added where parent_id is not null and not is_office
        union
        select assistant.user_id from added join users assistant on assistant.principal_id = added.parent_id
        where not added.is_office
      ) users
    ) parts group by part;
  return null;
end $$;
create trigger count_new_users after insert on users
  referencing new table as added for each statement execute function count_new_users();

-- Packages of a member who registers with the code; null for all of its agent's. A package that the agent no longer has
-- is not given.
alter table agent_codes add package_ids int[];
-- From the agent's own credit. If the agent has less left to give, the member begins with 0.
alter table agent_codes add opening_credit_satang bigint not null default 0 check (opening_credit_satang >= 0);
-- Registrations per day in Bangkok, which also limits how much opening credit a code can give in a day.
alter table agent_codes add registrations_per_day int not null check (registrations_per_day > 0);
-- The day of the last registration, and the number of registrations on it.
alter table agent_codes add registration_day date;
alter table agent_codes add registrations_of_day int not null default 0;
-- Whether a mail address is optional for registration.
alter table agent_codes add is_email_optional boolean not null default false;
grant insert (package_ids, opening_credit_satang, registrations_per_day, is_email_optional), update (registration_day, registrations_of_day)
  on agent_codes to megalot_app;

-- How members can contact their agent.
create table agent_contacts (
  user_id bigint primary key references users,
  name text not null check (length(name) between 1 and 100),
  line_id text check (line_id ~ '^@?[A-Za-z0-9._-]{1,40}$'),
  phone text check (length(phone) <= 20)
);
grant select, insert, update (name, line_id, phone) on agent_contacts to megalot_app;
