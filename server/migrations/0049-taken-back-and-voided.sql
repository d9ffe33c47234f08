-- Which tickets count among those that a member may cancel in a period is written down when it is decided: a confirmed one
-- always, one that waits where only its member says that it was given less than it saw.
alter table order_events add column is_counted boolean not null default false;
alter table order_events disable trigger append_only;
update order_events set is_counted = true where event = 'cancel' and from_status = 'CONFIRMED';
alter table order_events enable trigger append_only;

-- When something happened, only the database says.
revoke insert on order_events from megalot_app;
grant insert (order_id, event, from_status, to_status, actor_id, reason, details, is_counted) on order_events to megalot_app;

-- Whoever asks to void a ticket says nothing of a second person, and what the second one has said stays.
revoke insert on void_requests from megalot_app;
grant insert (order_id, requested_by, reason) on void_requests to megalot_app;

create function refuse_second_approval() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  raise exception 'a void that was approved stays as it is' using errcode = 'integrity_constraint_violation';
end $$;
create trigger refuse_second_approval before update on void_requests for each row
  when (old.approved_by is not null) execute function refuse_second_approval();
