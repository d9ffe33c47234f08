-- The integrity check: a job that checks the invariants of money. It reads as `megalot_auditor`; the owner writes its
-- findings, so that the application's log-in can hide nothing.

-- How far the check is. A record may have changed if its row is newer than the last run's snapshot (`is_newer`). This
-- holds however late a transaction commits, and for rows changed by hand. The ids only shorten the search: all rows up
-- to them were visible.
create table auditor_state (
  is_only boolean primary key default true check (is_only),
  -- Null before the first run.
  snapshot text,
  ran_at timestamptz,
  up_to_order_id bigint not null default 0,
  up_to_event_id bigint not null default 0,
  up_to_entry_id bigint not null default 0,
  -- Ids drawn before the oldest transaction then running, `mark_xid` or newer; and ids drawn by now.
  mark_xid bigint not null default 0,
  mark_order_id bigint not null default 0,
  mark_event_id bigint not null default 0,
  mark_entry_id bigint not null default 0,
  drawn_order_id bigint not null default 0,
  drawn_event_id bigint not null default 0,
  drawn_entry_id bigint not null default 0,
  -- The full check, in pieces: the current kind of record, and the last key. Null if none is under way.
  whole_kind text check (whole_kind in ('order', 'entry', 'user', 'member_period', 'period')),
  whole_after_key bigint not null default 0,
  is_whole_requested boolean not null default true,
  -- Rows committed up to then are copied or generated history, whose commit time says nothing about their tickets
  -- (`committed_in_time`).
  commits_count_after timestamptz not null default '-infinity',
  whole_started_at timestamptz,
  whole_ended_at timestamptz
);
insert into auditor_state default values;

-- A violated invariant, past or present: one row from the first finding until it is resolved.
create table invariant_breaks (
  break_id bigint generated always as identity primary key,
  invariant text not null,
  broken_at timestamptz not null default clock_timestamp(),
  seen_at timestamptz not null default clock_timestamp(),
  whole_at timestamptz,
  -- Keys of the violating records, checked at every run; a thousand at most.
  keys bigint[] not null,
  -- The first findings.
  findings jsonb not null,
  -- When violating records were last reported, and whether more have been found since.
  reported_at timestamptz not null default clock_timestamp(),
  has_unreported boolean not null default false
);
create unique index invariant_breaks_open on invariant_breaks (invariant) where whole_at is null;
create index invariant_breaks_ended on invariant_breaks (whole_at);

-- Alerts to be sent, each once: written with the violation they report, or with further records of it, and kept until
-- they are delivered.
create table alarms (
  alarm_id bigint generated always as identity primary key,
  break_id bigint not null references invariant_breaks,
  kind text not null check (kind in ('invariant_broken', 'invariant_whole')),
  channel text not null check (channel in ('mail', 'webhook')),
  -- A mail address; null for the webhook.
  recipient text,
  created_at timestamptz not null default clock_timestamp(),
  tries int not null default 0,
  next_try_at timestamptz not null default clock_timestamp(),
  sent_at timestamptz,
  last_error text,
  constraint alarms_by_mail_have_a_recipient check ((channel = 'mail') = (recipient is not null))
);
-- A pending alert shows the findings at the time it is sent.
create unique index alarms_wait_once on alarms (break_id, kind, channel, recipient) nulls not distinct where sent_at is null;
create index alarms_unsent on alarms (next_try_at) where sent_at is null;

grant select on sequence order_ids, order_events_event_id_seq, entry_ids to megalot_auditor;

-- Whether a row may be newer than a snapshot: it was not written by a transaction before the oldest one then running.
-- Later ones running then do not matter, because a snapshot does not list savepoint ids. `next`: the server's next
-- transaction, because rows have ids modulo 2^32. One expression, which is inlined; a negative id is long past.
create function is_newer(row_xmin xid, snapshot pg_snapshot, next bigint) returns boolean language sql stable
  return greatest(3, next - mod(next, 4294967296) + row_xmin::text::bigint
    - case when row_xmin::text::bigint >= mod(next, 4294967296) then 4294967296 else 0 end)::text::xid8 >= pg_snapshot_xmin(snapshot);
