-- The auditor: a job that checks the invariants of money. It reads as `megalot_auditor`; the owner writes what it found, so that the
-- application's log-in can hide nothing.

-- How far the auditor is. A record may have changed where its row is newer than the snapshot of the last run (`is_newer`): that
-- holds however late a transaction commits, and for rows changed by hand. The ids only shorten the search: all rows up to them were visible.
create table auditor_state (
  is_only boolean primary key default true check (is_only),
  -- Null: it has not run yet.
  snapshot text,
  ran_at timestamptz,
  up_to_order_id bigint not null default 0,
  up_to_event_id bigint not null default 0,
  up_to_entry_id bigint not null default 0,
  -- Ids that were drawn before transactions of which the oldest running one was `mark_xid` or newer; and the ids drawn by now.
  mark_xid bigint not null default 0,
  mark_order_id bigint not null default 0,
  mark_event_id bigint not null default 0,
  mark_entry_id bigint not null default 0,
  drawn_order_id bigint not null default 0,
  drawn_event_id bigint not null default 0,
  drawn_entry_id bigint not null default 0,
  -- The check of everything, in pieces: of which kind of record it is at, and after which key. Null: none is under way.
  whole_kind text check (whole_kind in ('order', 'entry', 'user', 'member_period', 'period')),
  whole_after_key bigint not null default 0,
  is_whole_requested boolean not null default true,
  -- Rows that were committed up to then are a history that was copied or made up: when they were committed says nothing about
  -- their tickets (`committed_in_time`).
  commits_count_after timestamptz not null default '-infinity',
  whole_started_at timestamptz,
  whole_ended_at timestamptz
);
insert into auditor_state default values;

-- An invariant that is broken, or was: one row from the first finding until it holds again.
create table invariant_breaks (
  break_id bigint generated always as identity primary key,
  invariant text not null,
  broken_at timestamptz not null default clock_timestamp(),
  seen_at timestamptz not null default clock_timestamp(),
  whole_at timestamptz,
  -- The keys of the records that break it, which are checked at every run: a thousand at most.
  keys bigint[] not null,
  -- The first findings.
  findings jsonb not null,
  -- When records that break it were last reported, and whether more have been found since.
  reported_at timestamptz not null default clock_timestamp(),
  has_unreported boolean not null default false
);
create unique index invariant_breaks_open on invariant_breaks (invariant) where whole_at is null;
create index invariant_breaks_ended on invariant_breaks (whole_at);

-- Alarms to be sent, each once: written with the break that they report, or with further records of it, and kept until they are delivered.
create table alarms (
  alarm_id bigint generated always as identity primary key,
  break_id bigint not null references invariant_breaks,
  kind text not null check (kind in ('invariant_broken', 'invariant_whole')),
  channel text not null check (channel in ('mail', 'webhook')),
  -- The address of a mail; null for the webhook.
  recipient text,
  created_at timestamptz not null default clock_timestamp(),
  tries int not null default 0,
  next_try_at timestamptz not null default clock_timestamp(),
  sent_at timestamptz,
  last_error text,
  constraint alarms_by_mail_have_a_recipient check ((channel = 'mail') = (recipient is not null))
);
-- One that waits shows the findings of the time at which it is sent.
create unique index alarms_wait_once on alarms (break_id, kind, channel, recipient) nulls not distinct where sent_at is null;
create index alarms_unsent on alarms (next_try_at) where sent_at is null;

grant select on sequence order_ids, order_events_event_id_seq, entry_ids to megalot_auditor;

-- Whether a row may be newer than a snapshot: it was written by no transaction before the oldest one that was running then. Whether a
-- later one was running decides nothing, because a snapshot does not list the numbers of savepoints. `next`: the next transaction
-- of the server, because rows have the ids of theirs modulo 2^32. One expression, which is inlined; a negative id is long past.
create function is_newer(row_xmin xid, snapshot pg_snapshot, next bigint) returns boolean language sql stable
  return greatest(3, next - mod(next, 4294967296) + row_xmin::text::bigint
    - case when row_xmin::text::bigint >= mod(next, 4294967296) then 4294967296 else 0 end)::text::xid8 >= pg_snapshot_xmin(snapshot);
