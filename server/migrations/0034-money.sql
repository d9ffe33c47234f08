-- Money between people. Each user and its parent are an edge: what they owe each other from settled periods, and what
-- they have paid. A credit limit is no part of it, and no payment changes one.

-- widens: accounts_kind_check, accounts_of_users, accounts_of_users_have_a_floor, entries_kind_check, users_assistant_areas_check

-- Wider checks are validated by the next migration, without blocking bets.
-- result: a level's own part of settled periods. purse: money that passed through its hands; below 0 it holds money.
alter table accounts drop constraint accounts_kind_check, drop constraint accounts_of_users,
  drop constraint accounts_of_users_have_a_floor;
alter table accounts add constraint accounts_kind_check check (kind in ('cash', 'held', 'period', 'result', 'purse')) not valid,
  add constraint accounts_of_users check ((kind = 'period') = (user_id is null)) not valid,
  add constraint accounts_of_users_have_a_floor check ((kind in ('cash', 'held')) = (floor_satang is not null)) not valid;

alter table entries drop constraint entries_kind_check;
alter table entries add constraint entries_kind_check check (kind in ('bet_hold', 'bet', 'bet_release', 'win', 'refund',
  'reversal', 'credit_change', 'transfer', 'adjustment', 'commission', 'result')) not valid;

alter table users drop constraint users_assistant_areas_check;
alter table users add constraint users_assistant_areas_check check (assistant_areas <@ array['people', 'credit', 'terms',
  'periods', 'results', 'risk', 'tickets', 'reports', 'messages', 'maintenance', 'staff', 'audit', 'money']);

-- What a user and its parent owe each other. Settlement and payments keep the sum, so that no reader walks a downline.
create table edges (
  child_id bigint primary key references users,
  -- Above 0: the parent owes the child. Without open stakes.
  balance_satang bigint not null default 0,
  -- From this balance on, in either direction, the edge is due on any day.
  settle_figure_satang bigint check (settle_figure_satang > 0),
  -- weekly: due every Monday. rolling: carried forward. at_figure: due at the settle figure.
  clearing text not null default 'weekly' check (clearing in ('weekly', 'rolling', 'at_figure')),
  constraint edges_at_a_figure_have_one check (clearing <> 'at_figure' or settle_figure_satang is not null)
) with (fillfactor = 80);
grant select, update (settle_figure_satang, clearing) on edges to megalot_app;

-- The changes of an edge's balance by the day of the period or payment in Bangkok.
create table edge_days (
  -- Of an edge. No foreign key, which would check each member at the end of a settlement.
  child_id bigint not null,
  day date not null,
  -- By settled periods; above 0 in the child's favour.
  played_satang bigint not null default 0,
  -- Paid by the child, and to the child.
  received_satang bigint not null default 0,
  paid_satang bigint not null default 0,
  -- By adjustments; above 0 in the child's favour.
  adjusted_satang bigint not null default 0,
  primary key (child_id, day)
) with (fillfactor = 80);
grant select on edge_days to megalot_app;

-- Opens the accounts and the edge of new users. Members have cash and held money only; assistants and office users
-- have nothing.
create function open_edges() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into accounts (kind, user_id)
  select kind, user_id from new_users cross join (values ('result'), ('purse')) as own (kind)
  where level <> 'member' and principal_id is null and not is_office;
  insert into edges (child_id) select user_id from new_users where parent_id is not null and not is_office;
  return null;
end $$;
create trigger open_edges after insert on users
  referencing new table as new_users for each statement execute function open_edges();

insert into accounts (kind, user_id)
select kind, user_id from users cross join (values ('result'), ('purse')) as own (kind)
where level <> 'member' and principal_id is null and not is_office;
insert into edges (child_id) select user_id from users where parent_id is not null and not is_office;

-- Money that passed between a child and its parent outside the system, and adjustments of what they owe. A reversal is
-- a row of its own.
create table payments (
  payment_id bigint generated always as identity primary key,
  child_id bigint not null references users,
  parent_id bigint not null references users,
  kind text not null check (kind in ('payment', 'adjustment')),
  -- Change of the edge's balance: above 0 if the child has paid, below 0 if it was paid.
  amount_satang bigint not null check (amount_satang <> 0),
  method text check (method in ('cash', 'transfer', 'offset')),
  -- The edge's balance after it.
  balance_after_satang bigint not null,
  -- In Bangkok; the recorder may name the day before.
  day date not null,
  note text check (length(note) between 1 and 200),
  reverses_id bigint unique references payments,
  -- Who holds the cash: the parent, or the one of its staff who collected it. A reversal has the holder of its payment.
  holder_id bigint not null references users,
  recorded_by bigint not null references users,
  recorded_at timestamptz not null default clock_timestamp(),
  constraint payments_have_a_method check ((kind = 'payment') = (method is not null))
);
create index payments_by_child on payments (child_id, payment_id);
create index payments_by_parent on payments (parent_id, payment_id);
create index payments_by_holder on payments (holder_id, day);
create trigger append_only before update or delete or truncate on payments execute function refuse_change();
grant select, insert (child_id, parent_id, kind, amount_satang, balance_after_satang, method, day, note, reverses_id,
  holder_id, recorded_by) on payments to megalot_app;

-- Adds amounts to edges and their days. Locks edges in order, after all accounts of the transaction.
create function change_edges(changes edge_days[]) returns void
  language plpgsql security definer set search_path = public, pg_temp
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off set jit = off as $$
begin
  perform from edges where child_id = any (array(select child_id from unnest(changes))) order by child_id for no key update;
  update edges set balance_satang = balance_satang + change.satang
  from (select child_id, sum(played_satang + received_satang - paid_satang + adjusted_satang)::bigint as satang
    from unnest(changes) group by child_id) change
  where edges.child_id = change.child_id and change.satang <> 0;
  insert into edge_days as kept
  select child_id, day, sum(played_satang), sum(received_satang), sum(paid_satang), sum(adjusted_satang)
  from unnest(changes) group by child_id, day order by child_id, day
  on conflict (child_id, day) do update set played_satang = kept.played_satang + excluded.played_satang,
    received_satang = kept.received_satang + excluded.received_satang,
    paid_satang = kept.paid_satang + excluded.paid_satang,
    adjusted_satang = kept.adjusted_satang + excluded.adjusted_satang;
end $$;

-- What payments change of their edges' days.
create function edge_days_of(made payments[]) returns setof edge_days language sql immutable
  set search_path = public, pg_temp as $$
  select child_id, day, 0, case when kind = 'payment' and (amount_satang > 0) = (reverses_id is null) then amount_satang else 0 end,
    case when kind = 'payment' and (amount_satang > 0) <> (reverses_id is null) then -amount_satang else 0 end,
    case when kind = 'adjustment' then amount_satang else 0 end
  from unnest(made)
$$;

-- Posts new payments: the entry between the two sides, and the sums of the edge. The caller has locked the accounts and
-- edges. A statement holds one payment of an edge.
create function post_payments() returns trigger language plpgsql security definer set search_path = public, pg_temp
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off set jit = off as $$
begin
  if exists (select from new_payments join users on user_id = child_id where users.parent_id is distinct from new_payments.parent_id) then
    raise exception 'a payment is between a child and its parent' using errcode = 'check_violation', constraint = 'payments_on_edges';
  end if;
  if exists (select from new_payments where not acts_as_owner()
    and day not between (clock_timestamp() at time zone 'Asia/Bangkok')::date - 2 and (clock_timestamp() at time zone 'Asia/Bangkok')::date) then
    -- A payment of yesterday can be approved a day later.
    raise exception 'a payment is of the last days' using errcode = 'check_violation', constraint = 'payments_of_the_last_days';
  end if;
  if exists (
    select from new_payments made join payments reversed on reversed.payment_id = made.reverses_id
    where reversed.reverses_id is not null or (made.child_id, made.parent_id, made.kind, made.amount_satang, made.holder_id)
      <> (reversed.child_id, reversed.parent_id, reversed.kind, -reversed.amount_satang, reversed.holder_id)
  ) then
    raise exception 'a reversal takes back one payment' using errcode = 'check_violation', constraint = 'reversals_take_back';
  end if;
  insert into entries (kind, idempotency_key, actor_id, from_account_id, to_account_id, amount_satang)
  select case made.kind when 'payment' then 'transfer' else 'adjustment' end, 'payment:' || payment_id, recorded_by,
    case when amount_satang > 0 then above.account_id else below.account_id end,
    case when amount_satang > 0 then below.account_id else above.account_id end, abs(amount_satang)
  from (
    select new_payments.*, case kind when 'payment' then 'purse' else 'result' end as account_kind, users.level
    from new_payments join users on user_id = child_id
  ) made
    join accounts above on above.user_id = made.parent_id and above.kind = made.account_kind
    join accounts below on below.user_id = made.child_id
      and below.kind = case made.level when 'member' then 'cash' else made.account_kind end
  order by payment_id;
  perform change_edges(array(select change from edge_days_of(array(select new_payments::payments from new_payments)) change));
  if exists (select from new_payments join edges using (child_id) where balance_satang <> balance_after_satang) then
    raise exception 'a payment states the balance after it' using errcode = 'check_violation', constraint = 'payments_state_the_balance';
  end if;
  perform pg_notify('megalot_live', json_build_object('users', json_agg(child_id))::text)
  from (select child_id, row_number() over () / 400 as part from new_payments) numbered group by part;
  return null;
end $$;
create constraint trigger require_audit after insert on payments deferrable initially deferred
  for each row when (not acts_as_owner()) execute function require_audit('user:', 'child_id');
create constraint trigger require_audit after update of settle_figure_satang, clearing on edges deferrable initially deferred
  for each row when (not acts_as_owner()) execute function require_audit('user:', 'child_id');
create trigger post_payments after insert on payments
  referencing new table as new_payments for each statement execute function post_payments();

-- A level's own part of a settled period.
create function own_part(of_level level_periods) returns bigint language sql immutable
  return (of_level.came_received_satang - of_level.passed_received_satang)
    - (of_level.came_discount_satang - of_level.passed_discount_satang)
    - (of_level.came_win_satang - of_level.passed_win_satang);

-- What a level owes its parent for a settled period.
create function passed_up(of_level level_periods) returns bigint language sql immutable
  return of_level.passed_received_satang - of_level.passed_discount_satang - of_level.passed_win_satang;

-- Moves what a settlement round changed from the period's account to the results of its levels, and adds it to the
-- edges.
create function move_results(of_period int, of_round int, before level_periods[]) returns void
  language plpgsql security definer set search_path = public, pg_temp
  set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off set jit = off as $$
declare
  of_day date := (select period_date from periods where period_id = of_period);
  period_account bigint := (select account_id from accounts where period_id = of_period);
  changed_ids bigint[];
  own bigint[];
  passed bigint[];
  children bigint[];
  changes bigint[];
begin
  select array_agg(user_id order by user_id), array_agg(own_satang order by user_id), array_agg(passed_satang order by user_id)
    into changed_ids, own, passed
  from (
    select user_id, sum(own_satang)::bigint as own_satang, sum(passed_satang)::bigint as passed_satang from (
      select l.user_id, own_part(l) as own_satang, passed_up(l) as passed_satang from level_periods l where period_id = of_period
      union all select l.user_id, -own_part(l), -passed_up(l) from unnest(before) l
    ) parts group by user_id
  ) changes where own_satang <> 0 or passed_satang <> 0;
  perform from accounts where user_id = any(changed_ids) and kind = 'result' order by account_id for no key update;
  insert into entries (kind, idempotency_key, from_account_id, to_account_id, amount_satang)
  select 'result', format('result:%s:%s:%s', of_period, of_round, user_id),
    case when satang > 0 then period_account else account_id end, case when satang > 0 then account_id else period_account end,
    abs(satang)
  from unnest(changed_ids, own) change (user_id, satang) join accounts using (user_id) where kind = 'result' and satang <> 0;
  -- In order of the edges, like every change of them: one nested loop from the arrays.
  select array_agg(child_id order by child_id), array_agg(satang order by child_id) into children, changes
  from (
      select user_id as child_id, -satang as satang from unnest(changed_ids, passed) change (user_id, satang)
        join users using (user_id) where parent_id is not null
      union all
      select user_id, win_satang + discount_satang - received_satang from member_periods
      where of_round = 0 and period_id + 0 = of_period and ticket_count > 0
      union all
      select user_id, sum(win_satang)::bigint from order_wins
      where of_round > 0 and period_id = of_period and round = of_round group by user_id
  ) edges_of_period where satang <> 0;
  update edges set balance_satang = balance_satang + satang
  from unnest(children, changes) change (child_id, satang) where edges.child_id = change.child_id;
  insert into edge_days as kept (child_id, day, played_satang)
  select child_id, of_day, satang from unnest(children, changes) change (child_id, satang)
  on conflict (child_id, day) do update set played_satang = kept.played_satang + excluded.played_satang;
end $$;

-- As before, and moves the results.
create or replace function roll_up_settled_period() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  of_round int := coalesce((select s.round from settlements s where s.period_id = new.period_id), 0);
  before level_periods[] := array(select l from level_periods l where l.period_id = new.period_id);
begin
  perform roll_up_period(new.period_id);
  perform count_numbers(new.period_id, of_round);
  perform move_results(new.period_id, of_round, before);
  return null;
end $$;

-- Moves results that rollups imply and no entry has moved yet, and recounts all edges. Only the owner may call it.
create function rebuild_edges() returns void language plpgsql security definer set search_path = public, pg_temp as $$
begin
  lock table edges in exclusive mode;
  insert into entries (kind, idempotency_key, from_account_id, to_account_id, amount_satang)
  select 'result', case when moved_satang = 0 then format('result:%s:%s:%s', lacking.period_id, coalesce(rounds.round, 0), lacking.user_id) end,
    case when satang > 0 then house.account_id else own.account_id end,
    case when satang > 0 then own.account_id else house.account_id end, abs(satang)
  from (
    select user_id, period_id, coalesce(due_satang, 0) - coalesce(moved_satang, 0) as satang, coalesce(moved_satang, 0) as moved_satang
    from (select l.user_id, l.period_id, own_part(l) as due_satang from level_periods l) due
      full join (
        select user_id, period_id, sum(amount)::bigint as moved_satang from (
          select own.user_id, house.period_id, amount_satang as amount from entries
            join accounts own on own.account_id = to_account_id join accounts house on house.account_id = from_account_id
            where entries.kind = 'result'
          union all
          select own.user_id, house.period_id, -amount_satang from entries
            join accounts own on own.account_id = from_account_id join accounts house on house.account_id = to_account_id
            where entries.kind = 'result'
        ) sides group by user_id, period_id
      ) moved using (user_id, period_id)
  ) lacking
    join accounts own on own.user_id = lacking.user_id and own.kind = 'result'
    join accounts house on house.period_id = lacking.period_id
    left join settlements rounds on rounds.period_id = lacking.period_id
  where satang <> 0 order by lacking.period_id, lacking.user_id;
  delete from edge_days;
  insert into edge_days
  select child_id, day, sum(played_satang), sum(received_satang), sum(paid_satang), sum(adjusted_satang) from (
    select * from counted_edge_days(null)
  ) counted group by child_id, day order by child_id, day;
  update edges set balance_satang = coalesce((
    select sum(played_satang + received_satang - paid_satang + adjusted_satang) from edge_days
    where edge_days.child_id = edges.child_id), 0)::bigint;
end $$;

-- The changes of edges, recounted from settled periods and payments; of all edges if `of_children` is null.
create function counted_edge_days(of_children bigint[]) returns setof edge_days
  language sql stable set search_path = public, pg_temp as $$
  select l.user_id, period_date, -passed_up(l), 0, 0, 0 from level_periods l join periods using (period_id)
    join users using (user_id)
  where parent_id is not null and (of_children is null or l.user_id = any(of_children))
  union all
  -- While a correction is being settled, without the wins of its round, which move with its end.
  select m.user_id, period_date, m.win_satang + m.discount_satang - m.received_satang - coalesce(unfinished.win, 0), 0, 0, 0
  from member_periods m join periods using (period_id) left join settlements using (period_id)
    left join lateral (select sum(w.win_satang)::bigint as win from order_wins w where outcome = 'settling'
      and w.period_id = m.period_id and w.round = settlements.round and w.user_id = m.user_id) unfinished on true
  where (outcome = 'settled' or outcome = 'settling' and settlements.round > 0) and ticket_count > 0
    and (of_children is null or m.user_id = any(of_children))
  union all
  select change.* from edge_days_of(array(
    select payments from payments where of_children is null or child_id = any(of_children))) change
$$;

-- As before, but agents propose for their own edges, and the office approves.
create or replace function guard_approval() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare contents constant text[] := array['state_before', 'state_after', 'figures', 'reason', 'decision_reason'];
begin
  -- The end of a proposal gives nobody anything: one of a suspended user can still be rejected.
  if not acts_as_owner() and (tg_op = 'INSERT' or new.state = 'executed')
    and not ((new.kind in ('record_payment', 'adjust_balance', 'reverse_payment') or is_of_office(new.proposed_by))
      and (new.decided_by is null or is_of_office(new.decided_by))) then
    raise exception 'approvals is decided by the office' using errcode = 'check_violation', constraint = 'office_decides';
  end if;
  if tg_op = 'INSERT' then
    return new;
  end if;
  -- After a restore the owner lets what waits expire.
  if acts_as_owner() and old.state = 'waiting' and new.expires_at < old.expires_at
    and to_jsonb(new) - 'expires_at' = to_jsonb(old) - 'expires_at' then
    return new;
  end if;
  -- The transaction that erases a person removes what proposals about that person say of it.
  if acts_as_owner() and is_erased_now(old.subject)
    and to_jsonb(new) - contents = to_jsonb(old) - contents then
    return new;
  end if;
  if old.state <> 'waiting' or new.state = 'waiting' then
    raise exception 'a proposal is decided once' using errcode = 'check_violation', constraint = 'approvals_decided_once';
  end if;
  if new.state = 'executed' and old.expires_at <= clock_timestamp() then
    raise exception 'the proposal has expired' using errcode = 'check_violation', constraint = 'approvals_in_time';
  end if;
  if (new.state = 'withdrawn') <> (principal_of(new.decided_by) = principal_of(old.proposed_by)) then
    raise exception 'approvals needs two people' using errcode = 'check_violation', constraint = 'two_people';
  end if;
  new.decided_at := clock_timestamp();
  new.executed_in := case when new.state = 'executed' then pg_current_xact_id() end;
  return new;
end $$;

-- A photo of the transfer slip of a payment.
create table payment_slips (
  payment_id bigint primary key references payments,
  content_type text not null check (content_type in ('image/jpeg', 'image/png', 'image/webp')),
  image bytea not null check (octet_length(image) <= 400000),
  added_by bigint not null references users,
  added_at timestamptz not null default clock_timestamp()
);
create constraint trigger require_audit after insert or delete on payment_slips deferrable initially deferred
  for each row when (not acts_as_owner())
  execute function require_audit('''user:'' || (select child_id from payments p where p.payment_id = changed.payment_id)');
grant select, insert (payment_id, content_type, image, added_by), delete on payment_slips to megalot_app;

-- A child says that a payment is not right; its parent answers.
create table payment_disputes (
  payment_id bigint primary key references payments,
  note text not null check (length(note) between 1 and 200),
  raised_at timestamptz not null default clock_timestamp(),
  answer text check (length(answer) between 1 and 200),
  answered_by bigint references users,
  answered_at timestamptz,
  constraint payment_disputes_are_answered_by_someone check (num_nulls(answer, answered_by, answered_at) in (0, 3))
);
create constraint trigger require_audit after insert or update on payment_disputes deferrable initially deferred
  for each row when (not acts_as_owner())
  execute function require_audit('''user:'' || (select child_id from payments p where p.payment_id = changed.payment_id)');
grant select, insert (payment_id, note), update (answer, answered_by, answered_at) on payment_disputes to megalot_app;

-- Cash that a holder has handed to another holder of the same principal.
create table cash_handovers (
  handover_id bigint generated always as identity primary key,
  from_id bigint not null references users,
  to_id bigint not null references users,
  amount_satang bigint not null check (amount_satang > 0),
  day date not null,
  note text check (length(note) between 1 and 200),
  recorded_by bigint not null references users,
  recorded_at timestamptz not null default clock_timestamp(),
  constraint cash_handovers_have_two_sides check (from_id <> to_id)
);
create index cash_handovers_by_giver on cash_handovers (from_id, day);
create index cash_handovers_by_taker on cash_handovers (to_id, day);
create trigger append_only before update or delete or truncate on cash_handovers execute function refuse_change();
create constraint trigger require_audit after insert on cash_handovers deferrable initially deferred
  for each row when (not acts_as_owner()) execute function require_audit('user:', 'from_id');
grant select, insert (from_id, to_id, amount_satang, day, note, recorded_by) on cash_handovers to megalot_app;

-- Counted cash. The difference from what was expected goes into the cash on hand.
create table cash_counts (
  count_id bigint generated always as identity primary key,
  holder_id bigint not null references users,
  day date not null,
  expected_satang bigint not null,
  counted_satang bigint not null check (counted_satang >= 0),
  note text check (length(note) between 1 and 200),
  counted_by bigint not null references users,
  counted_at timestamptz not null default clock_timestamp()
);
create index cash_counts_by_holder on cash_counts (holder_id, day);
create trigger append_only before update or delete or truncate on cash_counts execute function refuse_change();
create constraint trigger require_audit after insert on cash_counts deferrable initially deferred
  for each row when (not acts_as_owner()) execute function require_audit('user:', 'holder_id');
grant select, insert (holder_id, day, expected_satang, counted_satang, note, counted_by) on cash_counts to megalot_app;

-- Clearing statements: a week of an edge between agents, agreed by both.
create table clearings (
  clearing_id bigint generated always as identity primary key,
  child_id bigint not null references users,
  -- Its Monday.
  week date not null check (extract(isodow from week) = 1),
  state text not null default 'draft' check (state in ('draft', 'sent', 'confirmed', 'disputed', 'paid', 'closed')),
  -- The edge's balance before its lines, and after them; above 0 in the child's favour.
  forward_satang bigint not null,
  carried_satang bigint not null,
  made_at timestamptz not null default clock_timestamp(),
  changed_at timestamptz not null default clock_timestamp(),
  -- What the child does not agree with.
  disputed_line int,
  dispute_note text check (length(dispute_note) between 1 and 200),
  unique (child_id, week),
  constraint clearings_disputed_have_a_note check (state <> 'disputed' or dispute_note is not null)
);
create constraint trigger require_audit after update on clearings deferrable initially deferred
  for each row when (not acts_as_owner()) execute function require_audit('user:', 'child_id');
create table clearing_lines (
  clearing_id bigint not null references clearings,
  line_no int not null check (line_no > 0),
  child_id bigint not null references users,
  kind text not null check (kind in ('period', 'correction', 'payment', 'adjustment')),
  period_id int references periods,
  payment_id bigint references payments,
  -- The parts that the child passed up; differences of a correction. Discounts and commission in two columns.
  received_satang bigint not null default 0,
  discount_satang bigint not null default 0,
  commission_satang bigint not null default 0,
  win_satang bigint not null default 0,
  -- Change of the balance; above 0 in the child's favour.
  change_satang bigint not null,
  primary key (clearing_id, line_no),
  constraint clearing_lines_have_a_cause check ((period_id is not null) = (kind in ('period', 'correction'))
    and (payment_id is not null) = (kind in ('payment', 'adjustment')))
);
-- A period of an edge, and a payment, are in exactly one statement. Corrections are further lines.
create unique index clearing_lines_of_periods on clearing_lines (child_id, period_id) where kind = 'period';
create unique index clearing_lines_of_payments on clearing_lines (child_id, payment_id) where payment_id is not null;
create index clearing_lines_by_period on clearing_lines (child_id, period_id) where period_id is not null;
create trigger append_only before update or delete or truncate on clearing_lines execute function refuse_change();
grant select, insert on clearing_lines to megalot_app;
grant select, insert (child_id, week, forward_satang, carried_satang),
  update (state, changed_at, disputed_line, dispute_note) on clearings to megalot_app;

grant select on edges, edge_days, payments, payment_disputes, cash_handovers, cash_counts, clearings, clearing_lines
  to megalot_auditor, megalot_reader;
grant select (payment_id, content_type, added_by, added_at) on payment_slips to megalot_auditor, megalot_reader;
revoke execute on function change_edges(edge_days[]) from public;
revoke execute on function move_results(int, int, level_periods[]) from public;
revoke execute on function rebuild_edges() from public;
