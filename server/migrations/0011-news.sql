-- Announcements of the company to all users, and notices to the members of a period.

create table announcements (
  announce_id bigint generated always as identity primary key,
  type text not null check (type in ('news', 'important')),
  title_th text not null check (length(title_th) between 1 and 200),
  title_en text not null check (length(title_en) between 1 and 200),
  body_th text not null check (length(body_th) <= 5000),
  body_en text not null check (length(body_en) <= 5000),
  is_enabled boolean not null,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);
grant select, insert (type, title_th, title_en, body_th, body_en, is_enabled),
  update (type, title_th, title_en, body_th, body_en, is_enabled, updated_at), delete on announcements to megalot_app;
create trigger notify_live after insert or update or delete on announcements for each statement
  execute function notify_live('{"announcements":true}');

-- Which users have read which announcement. The rows are deleted when the announcement changes.
create table announcement_reads (
  announce_id bigint not null references announcements on delete cascade,
  user_id bigint not null references users,
  primary key (announce_id, user_id)
);
grant select, insert, delete on announcement_reads to megalot_app;

-- Notices to all members of a period. A member sees the notices of periods it has bet in; there is no row per member.
create table notices (
  notice_id int generated always as identity primary key,
  kind text not null check (kind in ('award_corrected', 'period_voided', 'period_postponed')),
  period_id int not null references periods,
  correction_id int references award_corrections,
  at timestamptz not null default clock_timestamp(),
  constraint notices_of_corrections check ((kind = 'award_corrected') = (correction_id is not null)),
  unique (correction_id)
);
create index notices_by_time on notices (at desc);
create unique index notices_one_void on notices (period_id) where kind = 'period_voided';
grant select, insert (kind, period_id, correction_id) on notices to megalot_app;

-- Until when a member has read its notices.
create table notice_reads (
  user_id bigint primary key references users,
  up_to_at timestamptz not null
);
grant select, insert, update (up_to_at) on notice_reads to megalot_app;
