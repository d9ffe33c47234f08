-- The last verification of the audit log's whole chain, for the audit reader. Whoever can forge the log can forge this row too: it says
-- when the job ran, and proves nothing.
create table audit_check (
  is_only boolean primary key default true check (is_only),
  checked_at timestamptz not null default clock_timestamp(),
  row_count bigint not null,
  problem_count int not null
);
grant select, insert (row_count, problem_count), update (checked_at, row_count, problem_count) on audit_check to megalot_app;
