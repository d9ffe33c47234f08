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

-- A result is entered by somebody, and stands once its period goes on to be settled.
create function guard_award() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    if current_user = 'megalot_app' and (new.state <> 'entered' or new.entered_by is null) then
      raise exception 'a result begins with one person' using errcode = 'insufficient_privilege';
    end if;
    return new;
  end if;
  if exists (select 1 from periods where period_id = old.period_id and outcome <> 'pending') then
    raise exception 'the result of a settled period stands' using errcode = 'insufficient_privilege';
  end if;
  return case tg_op when 'DELETE' then old else new end;
end $$;
create trigger guard_award before insert or update or delete on awards for each row execute function guard_award();

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
