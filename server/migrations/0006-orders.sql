-- Tickets (orders) and their items. Terms in force when a bet was accepted stand on the item for ever.

create sequence order_ids start 100001;

create table orders (
  order_id bigint primary key,
  request_id uuid not null,
  -- SHA-256 of the content sent with the request_id.
  content_hash bytea not null,
  user_id bigint not null references users,
  period_id int not null references periods,
  package_id int not null references packages,
  status text not null check (status in ('CREATED', 'INVALID', 'VALIDATED', 'PROCESSING', 'WAIT_CONFIRM',
    'CONFIRMED', 'CANCELLED', 'DELETED')),
  note text not null default '' check (length(note) <= 200),
  item_count int not null check (item_count > 0),
  bet_satang bigint not null check (bet_satang >= 0),
  received_satang bigint not null check (received_satang between 0 and bet_satang),
  discount_satang bigint not null check (discount_satang between 0 and received_satang),
  win_satang bigint not null default 0 check (win_satang >= 0),
  -- The three steps: received, checked, quota and credit taken, ticket made.
  created_at timestamptz not null,
  validated_at timestamptz not null,
  processed_at timestamptz not null,
  placed_at timestamptz not null default clock_timestamp(),
  cancelled_by bigint references users,
  unique (user_id, request_id)
);
create index orders_by_user on orders (user_id, order_id desc);
create index orders_by_user_and_period on orders (user_id, period_id, order_id desc);

create table order_items (
  order_id bigint not null references orders,
  line_no int not null check (line_no > 0),
  period_id int not null,
  bet_type text not null,
  number text not null check (number ~ '^[0-9]{1,3}$'),
  bet_satang bigint not null check (bet_satang >= 0),
  received_satang bigint not null check (received_satang between 0 and bet_satang),
  rate int not null check (rate >= 0),
  discount_rate int not null check (discount_rate between 0 and 10000),
  discount_satang bigint not null check (discount_satang between 0 and received_satang),
  is_half_pay boolean not null default false,
  win_satang bigint not null default 0 check (win_satang >= 0),
  primary key (order_id, line_no)
);
-- Settlement finds winners by it, per-number limits are summed by it.
create index order_items_by_number on order_items (period_id, bet_type, number);

-- The last line of defence: no ticket at or after its period's close, whatever the code above believes.
create function refuse_late_orders() returns trigger language plpgsql as $$
begin
  if exists (select 1 from new_orders o join periods p using (period_id)
    where clock_timestamp() >= p.close_at or o.created_at < p.open_at or p.outcome <> 'pending') then
    raise exception 'the period is closed' using errcode = 'check_violation', constraint = 'orders_in_time';
  end if;
  return null;
end $$;
create trigger refuse_late_orders after insert on orders
  referencing new table as new_orders for each statement execute function refuse_late_orders();

-- Items are written with their ticket and never after it; what was staked can be returned, never raised.
create function refuse_foreign_items() returns trigger language plpgsql as $$
begin
  if exists (select 1 from new_items i left join orders o on o.order_id = i.order_id and o.period_id = i.period_id
    where o.order_id is null or not written_now(o.xmin)) then
    raise exception 'an item can only be written with its ticket' using errcode = 'insufficient_privilege';
  end if;
  return null;
end $$;
create trigger refuse_foreign_items after insert on order_items
  referencing new table as new_items for each statement execute function refuse_foreign_items();

create function refuse_raise() returns trigger language plpgsql as $$
begin
  raise exception 'what was staked cannot be raised' using errcode = 'insufficient_privilege';
end $$;
create trigger refuse_raise before update on order_items for each row
  when (new.bet_satang > old.bet_satang or new.received_satang > old.received_satang
    or new.discount_satang > old.discount_satang)
  execute function refuse_raise();
create trigger refuse_raise before update on orders for each row
  when (new.bet_satang > old.bet_satang or new.received_satang > old.received_satang
    or new.discount_satang > old.discount_satang)
  execute function refuse_raise();

grant usage on sequence order_ids to megalot_app;
grant select, insert, update (status, received_satang, discount_satang, win_satang, cancelled_by) on orders to megalot_app;
grant select, insert, update (bet_satang, received_satang, discount_satang, win_satang) on order_items to megalot_app;
