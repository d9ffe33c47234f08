-- Reports as spreadsheet files. Any node writes them in the background, part by part, so that no node ever holds a
-- whole file. They are kept for a day.

create table report_files (
  file_id bigint generated always as identity primary key,
  -- Who requested it; no other user may read it.
  user_id bigint not null references users,
  -- Whose downline it covers: the same user, or an assistant's principal.
  principal_id bigint not null references users,
  request_id text collate "C" not null,
  -- SHA-256 of the content sent with the request_id, ignoring the call's language.
  content_hash bytea not null,
  -- The report, its subject, days, markets, format and language.
  request jsonb not null,
  filename text not null,
  state text not null default 'waiting' check (state in ('waiting', 'writing', 'ready', 'failed')),
  -- Counts the attempts. A writer that was replaced by a later attempt writes nothing more.
  attempt int not null default 0,
  -- Null until the rows are read.
  row_count int,
  rows_done int not null default 0,
  byte_count bigint not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  -- Renewed while it is written. A writer that has not renewed it for a minute is gone.
  renewed_at timestamptz not null default clock_timestamp(),
  unique (user_id, request_id)
);
create index report_files_by_time on report_files (created_at);
grant select, insert (user_id, principal_id, request_id, content_hash, request, filename),
  update (state, attempt, row_count, rows_done, byte_count, renewed_at), delete on report_files to megalot_app;

create table report_file_parts (
  file_id bigint not null references report_files on delete cascade,
  part_no int not null,
  content bytea not null,
  primary key (file_id, part_no)
);
-- Spreadsheets are already compressed, and the application compresses CSV.
alter table report_file_parts alter content set storage external;
grant select, insert, delete on report_file_parts to megalot_app;
