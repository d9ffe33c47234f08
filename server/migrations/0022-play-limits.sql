-- What members have set for themselves: limits on stake and loss, and breaks from betting.

-- Read with each ticket's member: only those who have set something cost a second look.
alter table users add column has_play_limits boolean not null default false;
grant update (has_play_limits) on users to megalot_app;

create table play_limits (
  user_id bigint not null references users,
  kind text not null check (kind in ('stake', 'loss')),
  span text not null check (span in ('day', 'week', 'month')),
  -- Absent: none in force (any more).
  amount_satang bigint check (amount_satang >= 0),
  -- What takes its place at `next_at`; absent then: no limit.
  next_amount_satang bigint check (next_amount_satang >= 0),
  next_at timestamptz,
  primary key (user_id, kind, span)
);
grant select, insert, update (amount_satang, next_amount_satang, next_at) on play_limits to megalot_app;

create table play_breaks (
  user_id bigint primary key references users,
  kind text not null check (kind in ('time_out', 'self_exclusion')),
  until_at timestamptz not null
);
grant select, insert, update (kind, until_at) on play_breaks to megalot_app;

-- A break is never made shorter, whoever asks.
create function refuse_shorter_break() returns trigger language plpgsql as $$
begin
  if old.until_at > clock_timestamp() and new.until_at < old.until_at then
    raise exception 'a break cannot be made shorter' using errcode = 'check_violation', constraint = 'breaks_only_longer';
  end if;
  return new;
end $$;
create trigger refuse_shorter_break before update on play_breaks for each row execute function refuse_shorter_break();

-- The last entry of the ledger before each day begins in Bangkok, written shortly before: sums over a member's last days
-- need not walk through all its years. A day without a mark only costs time.
create table entry_marks (
  day date primary key,
  entry_id bigint not null
);
grant select, insert on entry_marks to megalot_app;
grant select on sequence entry_ids to megalot_app;
