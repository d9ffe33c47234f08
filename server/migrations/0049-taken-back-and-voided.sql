-- Which tickets that waited count among those that a member may cancel in a period is written down when it is decided: those
-- that wait only because their member says that it saw another rate. A confirmed one counts by itself.
alter table order_events add column is_counted boolean not null default false;

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
alter table void_requests add constraint approved_by_somebody_at_some_time
  check ((approved_by is null) = (approved_at is null));
