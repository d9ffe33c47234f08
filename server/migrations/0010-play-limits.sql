-- Limits that members set for themselves: on stakes and losses, and breaks from betting.

create table play_limits (
  user_id bigint not null references users,
  kind text not null check (kind in ('stake', 'loss')),
  span text not null check (span in ('day', 'week', 'month')),
  -- Null for no limit in force.
  amount_satang bigint check (amount_satang >= 0),
  -- Replaces the limit at `next_at`; null then for no limit.
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

-- A break in force cannot be shortened.
create trigger refuse_shorter_break before update on play_breaks for each row
  when (old.until_at > clock_timestamp() and new.until_at < old.until_at)
  execute function refuse_change('a break cannot be made shorter', 'breaks_only_longer');
