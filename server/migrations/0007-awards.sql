-- Results and their settlement. One office user enters, another repeats; a difference locks the period for review.

create table awards (
  period_id int primary key references periods,
  state text not null check (state in ('entered', 'locked', 'agreed')),
  result jsonb not null,
  -- Absent for results of the past that came with the seed.
  entered_by bigint references users,
  entered_at timestamptz not null default clock_timestamp(),
  repeated_by bigint references users,
  repeated_result jsonb,
  repeated_at timestamptz,
  constraint awards_need_two_people check (repeated_by <> entered_by),
  check (state <> 'agreed' or entered_by is null or (repeated_by is not null and repeated_result = result))
);

-- How far the paying of a period has come. Wins are paid in order of the ticket number.
create table settlements (
  period_id int primary key references periods,
  paid_up_to_order_id bigint not null default 0,
  paid_orders int not null default 0,
  paid_satang bigint not null default 0,
  started_at timestamptz not null default clock_timestamp(),
  finished_at timestamptz
);

grant select, insert, update, delete on awards to megalot_app;
grant select, insert, update on settlements to megalot_app;
