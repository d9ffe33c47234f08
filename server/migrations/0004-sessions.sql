-- Captchas, sessions: one live session a user, known by the hash of its id alone.

create table captchas (
  request_id uuid primary key,
  answer text not null,
  expires_at timestamptz not null
);
grant select, insert, update, delete on captchas to megalot_app;

create table sessions (
  session_id bigint generated always as identity primary key,
  -- SHA-256 of the 256 random bits that the browser holds.
  token_hash bytea not null unique,
  user_id bigint not null references users,
  created_at timestamptz not null default clock_timestamp(),
  last_active_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  end_reason text check (end_reason in ('logged_off', 'replaced', 'expired', 'password_changed', 'suspended')),
  check ((ended_at is null) = (end_reason is null))
);
create unique index sessions_one_live on sessions (user_id) where ended_at is null;
grant select, insert, update (last_active_at, ended_at, end_reason) on sessions to megalot_app;
