-- Tickets (orders), their items and wins, their later events, and members' totals per period.

create sequence order_ids start 100001;
grant usage on sequence order_ids to megalot_app;

-- A ticket is one row with its items packed as numbers, because a row per item took ten times the work. The items and
-- their terms never change; returned items and wins are stored separately. `order_items` shows the items as rows.
-- Only `place_batch` inserts, and checks users, periods and packages once per batch, instead of by foreign keys per
-- row.
-- Columns are ordered by alignment, 8 bytes before 4 before texts and arrays, to avoid padding in every ticket.
create table orders (
  order_id bigint primary key,
  user_id bigint not null,
  bet_satang bigint not null check (bet_satang >= 0),
  received_satang bigint not null,
  discount_satang bigint not null,
  win_satang bigint not null default 0 check (win_satang >= 0),
  -- When the data that decided the ticket was read, and when it was written. For a ticket decided from a cache, both
  -- are the time of writing.
  created_at timestamptz not null,
  placed_at timestamptz not null default clock_timestamp(),
  -- When a waiting ticket counts as confirmed, as of its placing: 30 minutes later, or at the close. If the close was
  -- moved since, the period's current close applies (`confirmDeadline`). Null if the ticket never waited.
  confirm_deadline_at timestamptz,
  decided_at timestamptz,
  cancelled_by bigint,
  -- The discount that the member saw for the requested items, if it differed from the terms'.
  discount_seen_satang bigint check (discount_seen_satang >= 0),
  period_id int not null,
  package_id int not null,
  item_count int not null check (item_count > 0),
  request_id text collate "C" not null,
  -- The first 16 bytes of the SHA-256 of the content sent with the request_id.
  content_hash bytea not null,
  -- Earlier statuses exist only within the placing call, and refused tickets are not stored.
  status text not null check (status in ('WAIT_CONFIRM', 'CONFIRMED', 'CANCELLED', 'DELETED')),
  note text not null default '' check (length(note) <= 200),
  -- The bet of each item, in order, as its slot (`rules/src/bet-slot.ts`).
  slots smallint[] not null,
  -- Nine bytes per item, most significant first: four for the bet (whole Baht), three for the rate (hundredths, already
  -- halved at half pay), two for the discount rate (hundredths of a percent). As numbers: `unpack_lines`.
  lines bytea not null,
  -- Null if every item was accepted in full, at the full rate, which is the rate the member saw. Otherwise three
  -- numbers per item: received (satang), rate seen (hundredths), and 1 at half pay, else 0.
  differences bigint[],
  -- Numbers (from 1) of items that the member has returned from a waiting ticket.
  returned_lines int[],
  constraint orders_received_within_bet check (received_satang between 0 and bet_satang),
  constraint orders_discount_within_received check (discount_satang between 0 and received_satang),
  constraint orders_have_their_lines check (cardinality(slots) = item_count and octet_length(lines) = 9 * item_count
    and (differences is null or cardinality(differences) = 3 * item_count)
    and array_ndims(slots) = 1 and (differences is null or array_ndims(differences) = 1)),
  constraint waiting_has_deadline check (status <> 'WAIT_CONFIRM' or confirm_deadline_at is not null),
  unique (user_id, request_id)
);
-- A period fills up within minutes, so statistics must be updated often.
alter table orders set (autovacuum_analyze_scale_factor = 0.02);
create index orders_by_user on orders (user_id, order_id desc);
-- Also for a period's least and greatest ticket id, which lets `orders_by_user` find a member's tickets of the period.
create index orders_by_period on orders (period_id, order_id);
create index orders_waiting on orders (order_id) where status = 'WAIT_CONFIRM';
-- To count a member's waiting tickets, for every batch that is decided from read data.
create index orders_waiting_of_member on orders (user_id, period_id) where status = 'WAIT_CONFIRM';
-- Few tickets are deleted, cancelled or have a note, so their lists and searches need not scan the others.
create index orders_deleted on orders (user_id, order_id desc) where status = 'DELETED';
create index orders_deleted_of_all on orders (order_id desc) where status = 'DELETED';
create index orders_cancelled on orders (user_id, order_id desc) where status = 'CANCELLED';
create index orders_cancelled_of_all on orders (order_id desc) where status = 'CANCELLED';
-- Tickets that have ever waited; its rows never change.
create index orders_waited_of_all on orders (order_id) where confirm_deadline_at is not null;
create index orders_noted on orders (user_id, order_id desc) where note <> '';
create index orders_noted_of_all on orders (order_id desc) where note <> '';

-- Only `place_batch` inserts.
grant select,
  update (status, bet_satang, received_satang, discount_satang, win_satang, cancelled_by, decided_at, returned_lines)
  on orders to megalot_app;

-- A discount lowered afterwards would add a stake that no one has paid.
create trigger refuse_raise before update on orders for each row
  when (new.bet_satang > old.bet_satang or new.received_satang > old.received_satang
    or new.discount_satang > old.discount_satang
    or ((new.bet_satang, new.received_satang, new.discount_satang) <> (old.bet_satang, old.received_satang, old.discount_satang)
      and old.status <> 'WAIT_CONFIRM'))
  execute function refuse_change('what was staked changes while a ticket waits, and is never raised');

-- Transitions between stored statuses (a test compares them with `rules/src/order-status.ts`). Only a waiting ticket
-- returns items.
create trigger refuse_undoing before update of status, returned_lines on orders for each row
  when ((new.status <> old.status and (old.status, new.status) not in (('WAIT_CONFIRM', 'CONFIRMED'),
      ('WAIT_CONFIRM', 'CANCELLED'), ('WAIT_CONFIRM', 'DELETED'), ('CONFIRMED', 'CANCELLED'), ('CONFIRMED', 'DELETED')))
    or (new.returned_lines is distinct from old.returned_lines and old.status <> 'WAIT_CONFIRM'))
  execute function refuse_change('what has become of a ticket is not undone');

-- Winning items. Append-only: a correction of a result is a further round, which writes +1 or -1 for each item it
-- changes.
create table order_wins (
  order_id bigint not null references orders,
  line_no int not null check (line_no > 0),
  -- 0: the first settlement; 1…: corrections of the period.
  round int not null default 0,
  -- +1: the item won; -1: a correction revoked it, and the win is negative.
  sign int not null default 1,
  win_satang bigint not null,
  period_id int not null,
  user_id bigint not null,
  -- The bet (`rules/src/bet-slot.ts`), and the item as accepted.
  slot int not null,
  bet_satang bigint not null,
  received_satang bigint not null,
  discount_satang bigint not null,
  rate int not null,
  constraint order_wins_have_a_sign check (sign in (-1, 1) and win_satang * sign > 0),
  primary key (order_id, line_no, round)
);
create index order_wins_by_period on order_wins (period_id, user_id, order_id desc);
-- For the integrity check: all wins of a member.
create index order_wins_by_user on order_wins (user_id);
create trigger append_only before update or delete or truncate on order_wins execute function refuse_change();
grant select, insert on order_wins to megalot_app;

-- The bet type and the number of a slot (`rules/src/bet-slot.ts`).
create function bet_type_of(slot int) returns text language sql immutable
  return case when slot < 4000 then (array['3top', '3roll', '3front', '3bottom'])[slot / 1000 + 1]
    when slot < 4300 then (array['2top', '2bottom', '2roll'])[(slot - 4000) / 100 + 1]
    when slot < 4310 then '1top' else '1bottom' end;
create function number_of(slot int) returns text language sql immutable
  return case when slot < 4000 then lpad((slot % 1000)::text, 3, '0')
    when slot < 4300 then lpad((slot % 100)::text, 2, '0') else (slot % 10)::text end;

-- A ticket's items as accepted, from the columns `slots`, `lines` and `differences` of `orders`; amounts in satang.
-- Subqueries with `offset 0` read a long value once per ticket, and each number of an item once. The discount is
-- `discountSatang` of `rules/src/money.ts`.
create function unpack_lines(slots smallint[], lines bytea, differences bigint[])
  returns table (line_no int, slot int, bet_satang bigint, received_satang bigint, rate int, rate_seen int, discount_rate int,
    discount_satang bigint, is_half_pay boolean)
  language sql immutable
begin atomic
  select bet.line_no::int, bet.slot::int, line.bet, line.received, line.rate,
    case when plain.differences is null then line.rate else plain.differences[last - 1]::int end,
    line.discount_rate, (line.received * line.discount_rate + 5000) / 10000,
    plain.differences is not null and plain.differences[last] = 1
  from (select lines || '' as bytes, differences[:] as differences offset 0) plain
    cross join unnest(slots) with ordinality as bet (slot, line_no)
    cross join lateral (select (9 * bet.line_no - 9)::int as at, (3 * bet.line_no)::int as last) place
    cross join lateral (select
      (get_byte(bytes, at)::bigint * 16777216 + get_byte(bytes, at + 1) * 65536 + get_byte(bytes, at + 2) * 256
        + get_byte(bytes, at + 3)) * 100 as bet,
      get_byte(bytes, at + 4) * 65536 + get_byte(bytes, at + 5) * 256 + get_byte(bytes, at + 6) as rate,
      get_byte(bytes, at + 7) * 256 + get_byte(bytes, at + 8) as discount_rate offset 0) stored
    cross join lateral (select stored.*,
      case when plain.differences is null then stored.bet else plain.differences[last - 2] end as received) line;
end;

-- Current items of tickets. Amounts of returned items are 0; a win is the sum over all rounds.
create view order_items as
select orders.order_id, line.line_no, orders.period_id, orders.user_id, orders.status as order_status,
  bet_type_of(line.slot) as bet_type, number_of(line.slot) as number, line.bet_satang as asked_satang,
  case when is_returned then 0 else line.bet_satang end as bet_satang,
  case when is_returned then 0 else line.received_satang end as received_satang,
  line.rate, line.rate_seen, line.discount_rate,
  case when is_returned then 0 else line.discount_satang end as discount_satang,
  line.is_half_pay,
  coalesce((select sum(wins.win_satang) from order_wins wins
    where wins.order_id = orders.order_id and wins.line_no = line.line_no), 0)::bigint as win_satang
from orders
  cross join lateral unpack_lines(orders.slots, orders.lines, orders.differences) line
  cross join lateral (select line.line_no = any(coalesce(orders.returned_lines, '{}'))) as given_back (is_returned);
grant select on order_items to megalot_app;

-- Events of a ticket after placing, in order.
create table order_events (
  event_id bigint generated always as identity primary key,
  order_id bigint not null references orders,
  at timestamptz not null default clock_timestamp(),
  event text not null,
  from_status text not null,
  to_status text not null,
  -- Null for the system.
  actor_id bigint references users,
  reason text,
  details jsonb
);
create index order_events_by_order on order_events (order_id, event_id);
create trigger append_only before update or delete or truncate on order_events execute function refuse_change();
create trigger take_transaction_id before insert on order_events for each statement execute function take_transaction_id();
-- Without `at`, which only the database sets.
grant select, insert (order_id, event, from_status, to_status, actor_id, reason, details) on order_events to megalot_app;

-- From the close on a ticket leaves its period only by two people, because one who knows the result would take back losing bets. The application
-- decides by the clock of its own call; what it writes later is refused. The owner may write such rows by hand, and the seed
-- does; the invariants report what came late. Look-ups go by index.
--
-- A removal shares the lock of the period, as batches do: close, seal, slot index, result and settlement wait until it has ended. The
-- application holds that lock since before its ticket (`betting/life/apply-change.ts`).
create function refuse_late_removal() returns trigger language plpgsql set search_path = public, pg_temp
  set enable_seqscan = off as $$
begin
  if acts_as_owner() then return new; end if;
  -- An older snapshot would not see that the period was closed early.
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'a ticket is removed in read committed only' using errcode = 'invalid_transaction_state';
  end if;
  -- Lock first, then read the clock, because the period may close while waiting for the lock.
  perform pg_advisory_xact_lock_shared(7361206, new.period_id);
  if exists (select 1 from periods where period_id = new.period_id and (closed_at is not null or close_at <= clock_timestamp())
      and (outcome <> 'pending' or not is_executed_now('void_order', 'order:' || new.order_id))) then
    raise exception 'from the close on a ticket is removed by two people, and once its period is decided by nobody'
      using errcode = 'check_violation', constraint = 'removals_in_time';
  end if;
  return new;
end $$;
-- Of all transitions, only the end of waiting removes nothing.
create trigger refuse_late_removal before update of status, returned_lines on orders for each row
  when ((new.status <> old.status and (old.status, new.status) <> ('WAIT_CONFIRM', 'CONFIRMED'))
    or new.returned_lines is distinct from old.returned_lines)
  execute function refuse_late_removal();

-- A member's live tickets in a period, summed up. Reports add these up. The limit per number is computed only for
-- members whose total comes near it. Written only by `place_batch` and by triggers on tickets.
create table member_periods (
  user_id bigint not null references users,
  period_id int not null references periods,
  ticket_count int not null,
  bet_satang bigint not null,
  received_satang bigint not null check (received_satang >= 0),
  discount_satang bigint not null,
  win_satang bigint not null,
  primary key (user_id, period_id)
) with (fillfactor = 70);
-- A period's members. On an expression, so that the look-up of one member's row cannot use it, as a plan cached while
-- the table was empty would.
create index member_periods_by_any_member on member_periods ((period_id + 0));
grant select on member_periods to megalot_app;

create function add_to_member_periods() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into member_periods as kept
  select user_id, period_id, count(*), sum(bet_satang), sum(received_satang), sum(discount_satang), sum(win_satang)
  from new_orders where status in ('CONFIRMED', 'WAIT_CONFIRM') group by user_id, period_id order by user_id
  on conflict (user_id, period_id) do update set
    ticket_count = kept.ticket_count + excluded.ticket_count,
    bet_satang = kept.bet_satang + excluded.bet_satang,
    received_satang = kept.received_satang + excluded.received_satang,
    discount_satang = kept.discount_satang + excluded.discount_satang,
    win_satang = kept.win_satang + excluded.win_satang;
  return null;
end $$;
create trigger add_to_member_periods after insert on orders
  referencing new table as new_orders for each statement when (not is_placing_batch()) execute function add_to_member_periods();

create function change_member_periods() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update member_periods kept set
    ticket_count = kept.ticket_count + change.tickets,
    bet_satang = kept.bet_satang + change.bet,
    received_satang = kept.received_satang + change.received,
    discount_satang = kept.discount_satang + change.discount,
    win_satang = kept.win_satang + change.win
  from (
    select user_id, period_id, sum(sign) as tickets, sum(sign * bet_satang) as bet, sum(sign * received_satang) as received,
      sum(sign * discount_satang) as discount, sum(sign * win_satang) as win
    from (
      select 1 as sign, user_id, period_id, bet_satang, received_satang, discount_satang, win_satang
        from new_orders where status in ('CONFIRMED', 'WAIT_CONFIRM')
      union all
      select -1, user_id, period_id, bet_satang, received_satang, discount_satang, win_satang
        from old_orders where status in ('CONFIRMED', 'WAIT_CONFIRM')
    ) both_sides group by user_id, period_id
  ) change
  where kept.user_id = change.user_id and kept.period_id = change.period_id;
  return null;
end $$;
create trigger change_member_periods after update on orders
  referencing new table as new_orders old table as old_orders for each statement execute function change_member_periods();

-- How many waiting tickets of a period a member has cancelled, or returned accepted items of. Both count, because
-- accepted items occupied the quota of their numbers, even if they were cut.
create table taken_back_tickets (
  user_id bigint not null references users,
  period_id int not null references periods,
  tickets int not null check (tickets > 0),
  primary key (user_id, period_id)
);
grant select on taken_back_tickets to megalot_app;

create function count_taken_back() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into taken_back_tickets as counted (user_id, period_id, tickets)
  select user_id, period_id, 1 from orders where order_id = new.order_id
  on conflict (user_id, period_id) do update set tickets = counted.tickets + 1;
  return null;
end $$;
create trigger count_cancelled after update of status on orders for each row
  when (old.status = 'WAIT_CONFIRM' and new.status = 'CANCELLED') execute function count_taken_back();
create trigger count_returned after insert on order_events for each row
  when (new.event = 'confirm' and new.details @? '$.released[*] ? (@.received_satang > 0)') execute function count_taken_back();

-- A period's least and greatest ticket id; null if it has none. Ordered by both columns of `orders_by_period`: ordered
-- by id alone, the planner may scan the primary key from its end through other periods' tickets. Uses `between`,
-- because with `=` it would know that the first column is constant and order by id alone anyway.
create function first_order_of(of_period int) returns bigint language sql stable
  set search_path = public, pg_temp as $$
  select order_id from orders where period_id between of_period and of_period order by period_id, order_id limit 1
$$;
create function last_order_of(of_period int) returns bigint language sql stable
  set search_path = public, pg_temp as $$
  select order_id from orders where period_id between of_period and of_period order by period_id desc, order_id desc limit 1
$$;

-- Whether an entry moves money for its ticket: between its member and its period, in its kind's direction. Kinds
-- without a ticket are not written yet, so they have no cause here.
create function is_caused(entry_kind text, of_user bigint, of_period int, giver accounts, taker accounts) returns boolean
  language sql immutable
begin atomic
  select coalesce((entry_kind, giver.kind, taker.kind) in (('bet_hold', 'cash', 'held'), ('bet', 'cash', 'period'),
      ('bet', 'held', 'period'), ('bet_release', 'held', 'cash'), ('win', 'period', 'cash'), ('refund', 'period', 'cash'),
      ('reversal', 'cash', 'period'))
    and coalesce(giver.user_id, of_user) = of_user and coalesce(taker.user_id, of_user) = of_user
    and coalesce(giver.period_id, of_period) = of_period and coalesce(taker.period_id, of_period) = of_period, false);
end;

-- The owner may write other entries by hand; the invariants report them. Joins use indexes, as in `apply_entries`.
create function refuse_causeless_entries() returns trigger language plpgsql set search_path = public, pg_temp
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
begin
  -- Entries of a repair have the key `repair:APPROVAL:…`, and `committed_in_time` passes over them.
  if exists (select 1 from new_entries e where starts_with(e.idempotency_key, 'repair:') and not exists (
    select 1 from approvals a
    where a.kind = 'repair_ticket' and a.state = 'executed' and a.executed_in = pg_current_xact_id()
      and a.subject = 'order:' || e.order_id and starts_with(e.idempotency_key, 'repair:' || a.approval_id || ':'))) then
    raise exception 'an entry of a repair needs its approval' using errcode = 'check_violation', constraint = 'repairs_are_approved';
  end if;
  if not acts_as_owner() and exists (
    select 1 from new_entries e left join orders o using (order_id)
      left join accounts giver on giver.account_id = e.from_account_id
      left join accounts taker on taker.account_id = e.to_account_id
    where not is_caused(e.kind, o.user_id, o.period_id, giver, taker)) then
    raise exception 'an entry moves money of its ticket' using errcode = 'check_violation', constraint = 'entries_have_a_cause';
  end if;
  return null;
end $$;
-- After `apply_entries`, by its name.
create trigger refuse_causeless_entries after insert on entries
  referencing new table as new_entries for each statement when (not is_placing_batch())
  execute function refuse_causeless_entries();
