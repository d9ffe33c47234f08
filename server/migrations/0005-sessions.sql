-- Log-ins: captchas, sessions, known devices, failed attempts, and recovery by mail.

-- A captcha is a picture with an answer, or a proof of work signed with a key of its own. Not logged: what strangers ask for in
-- any number waits for no disk. After a crash or on another leader there are none, and a form asks for a new one.
create unlogged table captchas (
  request_id text collate "C" primary key,
  answer text,
  proof_key text,
  proof_level int check (proof_level between 1 and 4),
  expires_at timestamptz not null,
  constraint captchas_one_kind check ((answer is null) = (proof_key is not null and proof_level is not null))
);
grant select, insert, update, delete on captchas to megalot_app;

-- A user has one open session at most, and one besides that waits for its second factor: whoever knows a password alone
-- cannot end the session of the user. Only the hash of its id is stored.
create table sessions (
  session_id bigint generated always as identity primary key,
  -- SHA-256 of the 256 random bits that the browser holds.
  token_hash bytea not null unique,
  user_id bigint not null references users,
  created_at timestamptz not null default clock_timestamp(),
  last_active_at timestamptz not null default clock_timestamp(),
  -- Where the log-in came from; null: not from a browser.
  address text check (length(address) <= 60),
  user_agent text check (length(user_agent) <= 300),
  -- When a second factor was verified last. A session of a user with a second factor is complete once it is set.
  factor_verified_at timestamptz,
  -- Opened by the password of a user with a second factor, which is not verified yet.
  awaits_factor boolean not null default false,
  -- While it waits for the factor: the browser, which becomes known with the factor. Hashed as in known_devices.
  device_hash bytea,
  ended_at timestamptz,
  end_reason text check (end_reason in ('logged_off', 'replaced', 'expired', 'password_changed', 'suspended', 'ended_by_staff',
    'factors_reset')),
  constraint sessions_end_for_a_reason check ((ended_at is null) = (end_reason is null))
);
create unique index sessions_one_live on sessions (user_id, awaits_factor) where ended_at is null;
-- For tickets by address: log-ins are rare beside tickets, which store no address.
create index sessions_by_address on sessions (address, session_id desc) where address is not null;
-- The hash changes when a session becomes complete: it gets a new id.
-- For signals: who logged in during some days, and from where.
create index sessions_by_start on sessions (created_at, address, user_id) where address is not null;
grant select, insert (user_id, token_hash, address, user_agent, factor_verified_at, awaits_factor, device_hash),
  update (token_hash, last_active_at, factor_verified_at, awaits_factor, ended_at, end_reason) on sessions to megalot_app;

create trigger notify_live after update of ended_at on sessions for each row
  when (new.ended_at is not null) execute function notify_live_user('sessions');

-- A suspension ends the open sessions of the user, of all users below, and of the assistants of all these. They stay ended when the suspension is lifted.
create function end_sessions_of_suspended() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if new.level = 'member' then
    update sessions set ended_at = clock_timestamp(), end_reason = 'suspended'
      where user_id = new.user_id and ended_at is null;
    return null;
  end if;
  update sessions set ended_at = clock_timestamp(), end_reason = 'suspended'
    where session_id in (
      -- The sorted lock order prevents a deadlock of two suspensions.
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

-- Failed attempts by hashed name, whether a user of that name exists or not.
create table failed_tries (
  subject_hash bytea primary key,
  failures int not null check (failures > 0),
  last_failed_at timestamptz not null default clock_timestamp()
);
grant select, insert, update, delete on failed_tries to megalot_app;

-- Log-ins of a day in Bangkok that were wrong or are being made, by hashed name or known browser: a day has so many, whatever proofs of
-- work come with them. And registrations, by hashed mail address.
create table attempts_of_day (
  subject_hash bytea primary key,
  day date not null,
  attempts int not null check (attempts >= 0)
);
grant select, insert, update, delete on attempts_of_day to megalot_app;

-- Browsers on which a user has logged in before, by the hash of a random cookie. Each has its own count of failures, so that
-- failures elsewhere do not lock the user out.
create table known_devices (
  token_hash bytea not null,
  user_id bigint not null references users,
  failures int not null default 0,
  last_failed_at timestamptz,
  last_used_at timestamptz not null default clock_timestamp(),
  primary key (token_hash, user_id)
);
create index known_devices_by_user on known_devices (user_id, last_used_at desc);
-- For signals: devices that were used during some days.
create index known_devices_by_use on known_devices (last_used_at);
grant select, insert, update, delete on known_devices to megalot_app;

-- Requests for a new password. A job answers them later: the reply does not reveal whether there is such a user.
create table recovery_requests (
  recovery_request_id bigint generated always as identity primary key,
  -- A mail address, or a username, which has no @.
  identifier text not null check (length(identifier) <= 255),
  requested_at timestamptz not null default clock_timestamp(),
  tries int not null default 0,
  done_at timestamptz
);
create index recovery_requests_due on recovery_requests (requested_at) where done_at is null;
-- One open request for each: whoever asks again and again does not keep the others waiting.
create unique index recovery_requests_open on recovery_requests (lower(identifier)) where done_at is null;
grant select, insert (identifier), update (tries, done_at, requested_at), delete on recovery_requests to megalot_app;

create table recovery_links (
  -- SHA-256 of the 256 random bits in the link.
  token_hash bytea primary key,
  user_id bigint not null references users,
  expires_at timestamptz not null,
  used_at timestamptz,
  -- An account has no further mail for some minutes: whoever asks has a fresh link then, so nobody can keep it from its owner by asking often.
  mailed_at timestamptz not null default clock_timestamp()
);
create index recovery_links_by_user on recovery_links (user_id);
grant select, insert (token_hash, user_id, expires_at), update (used_at), delete on recovery_links to megalot_app;

-- Addresses that their users have not verified yet: the link that was mailed last, and when the next one is due. An address that the user
-- has verified before serves until then.
create table email_links (
  user_id bigint primary key references users,
  email text not null check (length(email) <= 254),
  -- Null: no mail is due.
  due_at timestamptz default clock_timestamp(),
  -- Delivery attempts of the mail that is due.
  tries int not null default 0,
  -- Mails in all, the one that is due included.
  mails int not null default 1,
  -- When the last one was sent.
  mailed_at timestamptz,
  -- The last one was sent, or is due, because its user had waited longest of those of the address.
  by_turn boolean not null default false,
  -- SHA-256 of the 256 random bits in the link; null: none was mailed.
  token_hash bytea unique,
  expires_at timestamptz,
  -- Passwords that were entered for this link.
  passwords int not null default 0
);
create index email_links_due on email_links (due_at) where due_at is not null;
-- For the mails that an address had in a day.
create index email_links_by_mail on email_links (mailed_at) where mailed_at is not null;
grant select, insert (user_id, email), update (email, due_at, tries, mails, mailed_at, by_turn, token_hash, expires_at, passwords), delete
  on email_links to megalot_app;

-- Mails to addresses that another one has replaced.
create table email_notices (
  email_notice_id bigint generated always as identity primary key,
  user_id bigint not null references users,
  email text not null,
  -- Null: given up.
  due_at timestamptz default clock_timestamp(),
  tries int not null default 0
);
create index email_notices_due on email_notices (due_at) where due_at is not null;
grant select, insert (user_id, email), update (due_at, tries), delete on email_notices to megalot_app;

-- Users who asked for a new password and have no verified address: their parent gives them one.
create table password_requests (
  user_id bigint primary key references users,
  requested_at timestamptz not null default clock_timestamp()
);
grant select, insert (user_id), update (requested_at), delete on password_requests to megalot_app;

-- Tells the parent of the user, and its assistants.
create function notify_live_parent() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  perform pg_notify('megalot_live', json_build_object('people', json_agg(told.user_id))::text)
    from users asker join users told on asker.parent_id in (told.user_id, told.principal_id) where asker.user_id = new.user_id;
  return null;
end $$;
create trigger notify_live_parent after insert or update on password_requests for each row execute function notify_live_parent();
