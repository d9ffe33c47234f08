-- The last verification of the whole audit chain, shown in the audit reader. It says when the job ran and proves
-- nothing: anyone who can forge the log can forge this row.
create table audit_check (
  is_only boolean primary key default true check (is_only),
  checked_at timestamptz not null default clock_timestamp(),
  row_count bigint not null,
  problem_count int not null
);
grant select, insert (row_count, problem_count), update (checked_at, row_count, problem_count) on audit_check to megalot_app;
