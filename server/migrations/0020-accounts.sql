-- Registration under an agent, recovery by mail, the proof of work beside the captcha, and what guards log-ins.

alter table users
  add column email text check (length(email) <= 254),
  add column phone text check (length(phone) <= 20);
-- Not unique: who registers must not learn who else has. Recovery writes to an address about all its accounts.
create index users_by_email on users (lower(email)) where email is not null;

-- With one of these somebody registers as a member under an agent.
create table agent_codes (
  code text primary key check (code ~ '^[A-Z0-9]{4,20}$'),
  user_id bigint not null references users,
  is_active boolean not null default true,
  created_at timestamptz not null default clock_timestamp()
);
create index agent_codes_by_user on agent_codes (user_id);
grant select, insert (code, user_id), update (is_active) on agent_codes to megalot_app;

-- A captcha is a picture with an answer, or a proof of work signed with a key of its own.
alter table captchas
  alter column answer drop not null,
  add column proof_key text,
  add column proof_level int check (proof_level between 1 and 3),
  add constraint captchas_one_kind check ((answer is null) = (proof_key is not null and proof_level is not null));

-- Failed tries by what they were aimed at: the name as it was typed (hashed), whether there is such a user or not.
create table failed_tries (
  subject_hash bytea primary key,
  failures int not null check (failures > 0),
  last_failed_at timestamptz not null default clock_timestamp()
);
grant select, insert, update, delete on failed_tries to megalot_app;

-- Browsers on which a user has logged in before, known by the hash of a random cookie: they have a count of their own, so
-- that whoever fails elsewhere does not shut them out.
create table known_devices (
  token_hash bytea not null,
  user_id bigint not null references users,
  failures int not null default 0,
  last_failed_at timestamptz,
  last_used_at timestamptz not null default clock_timestamp(),
  primary key (token_hash, user_id)
);
create index known_devices_by_user on known_devices (user_id, last_used_at desc);
grant select, insert, update, delete on known_devices to megalot_app;

-- Somebody asks for a way back in. The answer is sent later, so that the caller cannot tell whether there was anybody.
create table recovery_requests (
  recovery_request_id bigint generated always as identity primary key,
  email text not null check (length(email) <= 254),
  requested_at timestamptz not null default clock_timestamp(),
  tries int not null default 0,
  done_at timestamptz
);
create index recovery_requests_due on recovery_requests (requested_at) where done_at is null;
create index recovery_requests_by_email on recovery_requests (lower(email), requested_at);
grant select, insert (email), update (tries, done_at), delete on recovery_requests to megalot_app;

create table recovery_links (
  -- SHA-256 of the 256 random bits in the link.
  token_hash bytea primary key,
  user_id bigint not null references users,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index recovery_links_by_user on recovery_links (user_id);
grant select, insert, update (used_at), delete on recovery_links to megalot_app;
