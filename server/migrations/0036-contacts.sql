-- What uplines keep about a user below them: how to reach it, and what to remember. The user itself never sees it.

create function phone_digits(phone text) returns text language sql immutable parallel safe
  return regexp_replace(phone, '[^0-9]', '', 'g');

create function contact_text(phone text, line_id text) returns text language sql immutable parallel safe
  return lower(coalesce(public.phone_digits(phone), '') || ' ' || coalesce(line_id, ''));

create table contact_notes (
  user_id bigint primary key references users,
  phone text check (length(phone) <= 20),
  line_id text check (line_id ~ '^@?[A-Za-z0-9._-]{1,40}$'),
  note text not null default '' check (length(note) <= 500),
  tags text[] not null default '{}' check (cardinality(tags) <= 10),
  search_text text not null generated always as (contact_text(phone, line_id)) stored
);
create index contact_notes_by_text on contact_notes using gin (search_text extensions.gin_trgm_ops);
create index contact_notes_by_tag on contact_notes using gin (tags);
-- The number with which a member has registered.
create index users_by_phone on users using gin (phone_digits(phone) extensions.gin_trgm_ops) where phone is not null;
grant select, insert (user_id, phone, line_id, note, tags), update (phone, line_id, note, tags), delete on contact_notes to megalot_app;
grant select on contact_notes to megalot_auditor;
