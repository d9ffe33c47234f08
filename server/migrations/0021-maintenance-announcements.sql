-- Times when members are kept out, of everything or of one market, and what the company has to say to everybody.

create table maintenances (
  -- The market; '' is the whole product.
  scope text primary key,
  message_th text not null check (length(message_th) between 1 and 500),
  message_en text not null check (length(message_en) between 1 and 500),
  -- When it is expected to be over: told, and no more. It is over when somebody says so.
  until_at timestamptz,
  since_at timestamptz not null default clock_timestamp(),
  set_by bigint references users
);
grant select, insert (scope, message_th, message_en, until_at, set_by),
  update (message_th, message_en, until_at, set_by), delete on maintenances to megalot_app;

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

-- Who has read what; an announcement that changes is unread again.
create table announcement_reads (
  announce_id bigint not null references announcements on delete cascade,
  user_id bigint not null references users,
  primary key (announce_id, user_id)
);
grant select, insert, delete on announcement_reads to megalot_app;

create trigger tell_live after insert or update or delete on announcements for each statement
  execute function tell_live('{"announcements":true}');
create trigger tell_live after insert or update or delete on maintenances for each statement
  execute function tell_live('{"everything":true}');
