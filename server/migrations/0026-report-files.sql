-- Reports as files for spreadsheets. Any node writes them in the background, part by part, so that no node ever holds a whole
-- file. They are kept for a day.

create table report_files (
  file_id bigint generated always as identity primary key,
  -- Who requested it: nobody else may read it.
  user_id bigint not null references users,
  -- Whose line it covers: the same user, or the principal of an assistant.
  principal_id bigint not null references users,
  request_id text collate "C" not null,
  -- SHA-256 of what was sent under the request_id, whatever the language of the call.
  content_hash bytea not null,
  -- The report, its subject, days, markets, format and language.
  request jsonb not null,
  filename text not null,
  state text not null default 'waiting' check (state in ('waiting', 'writing', 'ready', 'failed')),
  -- Counts the attempts: whoever was replaced by a later one writes nothing more.
  attempt int not null default 0,
  -- Null where it is not known before the rows are read.
  row_count int,
  rows_done int not null default 0,
  byte_count bigint not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  -- Renewed while it is written: a writer that has not done so for a minute is gone.
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
-- A spreadsheet is compressed already, and the application compresses CSV.
alter table report_file_parts alter content set storage external;
grant select, insert, delete on report_file_parts to megalot_app;
