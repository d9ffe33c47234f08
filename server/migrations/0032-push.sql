-- Web push: browsers to which members have notifications sent, and what is still to be sent to them.

-- A row ends with its session, but not by idleness, and when the push service no longer knows it. Logging in again on the
-- browser moves it to the new session.
create table push_subscriptions (
  subscription_id bigint generated always as identity primary key,
  user_id bigint not null references users,
  -- The session that subscribed last. Sessions are removed after years, and their subscriptions with them.
  session_id bigint not null references sessions on delete cascade,
  -- The address at the browser's push service. Who knows it and the keys can send to the browser.
  endpoint text not null unique check (length(endpoint) <= 1000),
  -- The browser's keys for encrypting (RFC 8291), in base64url.
  p256dh text not null check (length(p256dh) <= 100),
  auth text not null check (length(auth) <= 50),
  language text not null check (language in ('th', 'en')),
  seen_at timestamptz not null default clock_timestamp()
);
create index push_subscriptions_by_user on push_subscriptions (user_id, seen_at desc);
create index push_subscriptions_by_session on push_subscriptions (session_id);
grant select, insert (user_id, session_id, endpoint, p256dh, auth, language),
  update (user_id, session_id, p256dh, auth, language, seen_at), delete on push_subscriptions to megalot_app;

-- Pushes to be sent, written in the transaction of their cause. A node deletes a row before it sends, so no push is sent
-- twice. It inserts the row again if the push service asks to try later.
create table pushes (
  push_id bigint generated always as identity primary key,
  -- No foreign key, which would let a log-out hold up or fail a settlement or a bet. Without its subscription a push is
  -- discarded when it is due.
  subscription_id bigint not null,
  kind text not null check (kind in ('result', 'correction', 'confirm')),
  -- The period of a result or a correction, the ticket that waits for confirmation.
  subject_id bigint not null,
  tries integer not null default 0,
  due_at timestamptz not null default clock_timestamp()
);
create index pushes_due on pushes (due_at);
-- Locking a row needs a column to update.
grant select, insert (subscription_id, kind, subject_id, tries, due_at), update (due_at), delete on pushes to megalot_app;
