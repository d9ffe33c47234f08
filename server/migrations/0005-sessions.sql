-- Log-ins: captchas, sessions, known devices, failed attempts, and recovery by mail.

-- A captcha is a picture with an answer, or a proof of work signed with its own key. Unlogged, because unauthenticated
-- clients may request any number of them. After a crash or a failover there are none, and forms request a new one.
create unlogged table captchas (
  request_id text collate "C" primary key,
  answer text,
  proof_key text,
  proof_level int check (proof_level between 1 and 4),
  expires_at timestamptz not null,
  constraint captchas_one_kind check ((answer is null) = (proof_key is not null and proof_level is not null))
);
grant select, insert, update, delete on captchas to megalot_app;

-- A user has at most one open session, and one more that waits for its second factor, because a password alone must not
-- end the user's session. Only the hash of its id is stored.
create table sessions (
  session_id bigint generated always as identity primary key,
  -- SHA-256 of 256 random bits that the browser holds.
  token_hash bytea not null unique,
  user_id bigint not null references users,
  created_at timestamptz not null default clock_timestamp(),
  last_active_at timestamptz not null default clock_timestamp(),
  -- The address of the log-in; null if not from a browser.
  address text check (length(address) <= 60),
  user_agent text check (length(user_agent) <= 300),
  -- When a second factor was last verified. For a user with a second factor, the session is complete once it is set.
  factor_verified_at timestamptz,
  -- Opened with the password of a user whose second factor is not verified yet.
  awaits_factor boolean not null default false,
  -- While waiting for the factor: the browser, which becomes known once it is verified. Hashed as in known_devices.
  device_hash bytea,
  ended_at timestamptz,
  end_reason text check (end_reason in ('logged_off', 'replaced', 'expired', 'password_changed', 'suspended', 'ended_by_staff',
    'factors_reset')),
  constraint sessions_end_for_a_reason check ((ended_at is null) = (end_reason is null))
);
create unique index sessions_one_live on sessions (user_id, awaits_factor) where ended_at is null;
-- For searching tickets by address: log-ins are rarer than tickets, which store no address.
create index sessions_by_address on sessions (address, session_id desc) where address is not null;
-- For signals: log-ins during some days, and their addresses. The hash changes when a session becomes complete, because
-- it gets a new id.
create index sessions_by_start on sessions (created_at, address, user_id) where address is not null;
grant select, insert (user_id, token_hash, address, user_agent, factor_verified_at, awaits_factor, device_hash),
  update (token_hash, last_active_at, factor_verified_at, awaits_factor, ended_at, end_reason) on sessions to megalot_app;

create function note_session() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    update users set last_log_in_at = new.created_at where user_id = new.user_id;
  elsif new.ended_at is not null then
    perform pg_notify('megalot_live', json_build_object('sessions', json_build_array(new.user_id))::text);
  end if;
  return null;
end $$;
create trigger note_session after insert or update of ended_at on sessions for each row execute function note_session();

-- A suspension ends the open sessions of the user, of all users below, and of all their assistants. They stay ended
-- when the suspension is lifted.
create function end_sessions_of_suspended() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if new.level = 'member' then
    update sessions set ended_at = clock_timestamp(), end_reason = 'suspended'
      where user_id = new.user_id and ended_at is null;
    return null;
  end if;
  update sessions set ended_at = clock_timestamp(), end_reason = 'suspended'
    where session_id in (
      -- Sorted locking prevents a deadlock of two suspensions.
      select s.session_id from sessions s
      where s.ended_at is null and s.user_id in (
        select u.user_id from users u where u.user_id = new.user_id or u.upline_ids @> array[new.user_id]
        union all
        select a.user_id from users a join users p on p.user_id = a.principal_id
        where p.user_id = new.user_id or p.upline_ids @> array[new.user_id])
      order by s.session_id for no key update of s
    );
  return null;
end $$;
create trigger end_sessions_of_suspended after update of own_status on users for each row
  when (new.own_status = 'SUSPENDED' and old.own_status <> 'SUSPENDED')
  execute function end_sessions_of_suspended();

-- Failed attempts by hashed name, whether or not such a user exists.
create table failed_tries (
  subject_hash bytea primary key,
  failures int not null check (failures > 0),
  last_failed_at timestamptz not null default clock_timestamp()
);
grant select, insert, update, delete on failed_tries to megalot_app;

-- Daily counts, in Bangkok days, of failed or pending log-ins by hashed name or known browser, and of registrations by
-- hashed mail address. The limits apply whatever proofs of work are sent.
create table attempts_of_day (
  subject_hash bytea primary key,
  day date not null,
  attempts int not null check (attempts >= 0)
);
grant select, insert, update, delete on attempts_of_day to megalot_app;

-- Browsers on which a user has logged in before, by the hash of a random cookie. Each has its own failure count, so
-- that failures elsewhere do not lock the user out.
create table known_devices (
  token_hash bytea not null,
  user_id bigint not null references users,
  failures int not null default 0,
  last_failed_at timestamptz,
  last_used_at timestamptz not null default clock_timestamp(),
  primary key (token_hash, user_id)
);
create index known_devices_by_user on known_devices (user_id, last_used_at desc);
-- For signals: devices used during some days.
create index known_devices_by_use on known_devices (last_used_at);
grant select, insert, update, delete on known_devices to megalot_app;

-- Requests for a new password. A job answers them later, so that the reply does not reveal whether the user exists.
create table recovery_requests (
  recovery_request_id bigint generated always as identity primary key,
  -- A mail address, or a username, which has no @.
  identifier text not null check (length(identifier) <= 255),
  requested_at timestamptz not null default clock_timestamp(),
  tries int not null default 0,
  done_at timestamptz
);
create index recovery_requests_due on recovery_requests (requested_at) where done_at is null;
-- One open request per identifier, so that repeated requests do not delay others.
create unique index recovery_requests_open on recovery_requests (lower(identifier)) where done_at is null;
grant select, insert (identifier), update (tries, done_at, requested_at), delete on recovery_requests to megalot_app;

create table recovery_links (
  -- SHA-256 of the link's 256 random bits.
  token_hash bytea primary key,
  user_id bigint not null references users,
  expires_at timestamptz not null,
  used_at timestamptz,
  -- An account gets no further mail for some minutes. Its last link is then still valid, so frequent requests by others
  -- cannot keep the owner from getting one.
  mailed_at timestamptz not null default clock_timestamp()
);
create index recovery_links_by_user on recovery_links (user_id);
grant select, insert (token_hash, user_id, expires_at), update (used_at), delete on recovery_links to megalot_app;

-- Addresses at which the first owner is made (`identity/setup`). Only the database's owner writes them: they are printed on the
-- machine. None is left once there is an owner.
create table setup_links (
  -- SHA-256 of the link's 256 random bits.
  token_hash bytea primary key,
  expires_at timestamptz not null
);
grant select, delete on setup_links to megalot_app;

-- Addresses that their users have not verified yet: the last mailed link, and when the next is due. Until then an
-- earlier verified address remains in use.
create table email_links (
  user_id bigint primary key references users,
  email text not null check (length(email) <= 254),
  -- Null if no mail is due.
  due_at timestamptz default clock_timestamp(),
  -- Delivery attempts of the pending mail.
  tries int not null default 0,
  -- All mails, including the pending one.
  mails int not null default 1,
  -- When the last one was sent.
  mailed_at timestamptz,
  -- The last or pending mail was chosen because its user had waited longest among those with the address.
  by_turn boolean not null default false,
  -- SHA-256 of the link's 256 random bits; null if none was mailed.
  token_hash bytea unique,
  expires_at timestamptz,
  -- Passwords entered for this link.
  passwords int not null default 0
);
create index email_links_due on email_links (due_at) where due_at is not null;
-- For counting an address's mails per day.
create index email_links_by_mail on email_links (mailed_at) where mailed_at is not null;
grant select, insert (user_id, email), update (email, due_at, tries, mails, mailed_at, by_turn, token_hash, expires_at, passwords), delete
  on email_links to megalot_app;

-- Notices to addresses that were replaced by another one.
create table email_notices (
  email_notice_id bigint generated always as identity primary key,
  user_id bigint not null references users,
  email text not null,
  -- Null if delivery was given up.
  due_at timestamptz default clock_timestamp(),
  tries int not null default 0
);
create index email_notices_due on email_notices (due_at) where due_at is not null;
grant select, insert (user_id, email), update (due_at, tries), delete on email_notices to megalot_app;

-- Users without a verified address who asked for a new password. Their parent gives them one.
create table password_requests (
  user_id bigint primary key references users,
  requested_at timestamptz not null default clock_timestamp()
);
grant select, insert (user_id), update (requested_at), delete on password_requests to megalot_app;

-- Notifies the user's parent and its assistants.
create function notify_live_parent() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  perform pg_notify('megalot_live', json_build_object('people', json_agg(told.user_id))::text)
    from users asker join users told on asker.parent_id in (told.user_id, told.principal_id) where asker.user_id = new.user_id;
  return null;
end $$;
create trigger notify_live_parent after insert or update on password_requests for each row execute function notify_live_parent();
