-- What can happen to a ticket after it was placed: it waits for the member's word, is confirmed, cancelled, deleted, voided.

alter table orders
  -- When a waiting ticket is taken as confirmed: 30 minutes after it was placed, or at the close.
  add column confirm_deadline_at timestamptz,
  add column decided_at timestamptz,
  add constraint waiting_has_deadline check (status <> 'WAIT_CONFIRM' or confirm_deadline_at is not null);
create index orders_waiting on orders (confirm_deadline_at) where status = 'WAIT_CONFIRM';
create index orders_deleted on orders (user_id, order_id desc) where status = 'DELETED';

alter table order_items
  -- What the member asked for and saw; what became of it stands beside.
  add column asked_satang bigint,
  add column rate_seen int;
update order_items set asked_satang = bet_satang, rate_seen = rate;
alter table order_items alter column asked_satang set not null, alter column rate_seen set not null,
  add check (bet_satang <= asked_satang);

-- Everything that happened to a ticket after it was placed, in order. Its making stands on the ticket itself.
create table order_events (
  event_id bigint generated always as identity primary key,
  order_id bigint not null references orders,
  at timestamptz not null default clock_timestamp(),
  event text not null,
  from_status text not null,
  to_status text not null,
  -- Absent: the system itself.
  actor_id bigint references users,
  reason text,
  details jsonb
);
create index order_events_by_order on order_events (order_id, event_id);
create trigger append_only before update or delete or truncate on order_events execute function refuse_change();

-- After the close a ticket is voided by two different office users.
create table void_requests (
  order_id bigint primary key references orders,
  requested_by bigint not null references users,
  requested_at timestamptz not null default clock_timestamp(),
  reason text not null check (length(reason) between 3 and 200),
  approved_by bigint references users,
  approved_at timestamptz,
  constraint voids_need_two_people check (approved_by <> requested_by)
);

grant select, insert on order_events to megalot_app;
grant select, insert, update (approved_by, approved_at) on void_requests to megalot_app;
grant update (bet_satang, decided_at) on orders to megalot_app;
