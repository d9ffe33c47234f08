-- What each level takes of its downline's stakes (position) and has as discount above its members' (commission). A line of
-- this table is never changed: a period is reckoned with those that stood when it opened, so that the shares of every bet
-- are fixed before it is placed, without anything being written when it is.

create table share_terms (
  share_id bigint generated always as identity primary key,
  user_id bigint not null references users,
  -- Hundredths of a percent, in steps of 0.5 %.
  position_rate int not null check (position_rate between 0 and 10000 and position_rate % 50 = 0),
  -- Hundredths of a percent.
  commission_rate int not null check (commission_rate between 0 and 10000),
  since_at timestamptz not null default clock_timestamp(),
  set_by bigint references users
);
create index share_terms_by_user on share_terms (user_id, since_at desc);
create trigger append_only before update or delete or truncate on share_terms execute function refuse_change();

-- The terms of a user at an instant; nothing where there are none yet: then both are 0.
create function share_terms_at(of_user bigint, instant timestamptz) returns share_terms language sql stable as $$
  select * from share_terms where user_id = of_user and since_at <= instant order by since_at desc, share_id desc limit 1
$$;

-- The levels of a line take no more than everything, and none has more discount than the one above it.
create function refuse_wrong_shares() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare
  levels bigint[];
  parent bigint;
begin
  -- One change after another: two that are right alone may be wrong together.
  perform pg_advisory_xact_lock(7361210);
  select parent_id, upline_ids || user_id into parent, levels from users where user_id = new.user_id;
  if new.commission_rate > coalesce((share_terms_at(parent, clock_timestamp())).commission_rate, 0)
      and cardinality(levels) > 2
    or exists (select 1 from users child
      where child.parent_id = new.user_id
        and coalesce((share_terms_at(child.user_id, clock_timestamp())).commission_rate, 0) > new.commission_rate)
    or exists (select 1 from users below
      where (below.user_id = new.user_id or below.upline_ids @> array[new.user_id]) and not below.is_office
        and new.position_rate + (select coalesce(sum((share_terms_at(level_id, clock_timestamp())).position_rate), 0)
          from unnest(below.upline_ids || below.user_id) level_id where level_id <> new.user_id) > 10000) then
    raise exception 'the shares of a line do not fit' using errcode = 'check_violation', constraint = 'shares_within_line';
  end if;
  return new;
end $$;
create trigger refuse_wrong_shares before insert on share_terms for each row execute function refuse_wrong_shares();

grant select, insert (user_id, position_rate, commission_rate, set_by) on share_terms to megalot_app;
