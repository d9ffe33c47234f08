-- A member who returns lines of a waiting ticket that the house took as asked has taken something back, as one who cancels it:
-- both are counted, so that a line on a closed number does not make the other lines a free option (decision 31).

create function count_waiting_return() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into waiting_cancels as counted (user_id, period_id, cancelled_tickets)
  select user_id, period_id, 1 from orders where order_id = new.order_id
  on conflict (user_id, period_id) do update set cancelled_tickets = counted.cancelled_tickets + 1;
  return null;
end $$;
create trigger count_waiting_return after insert on order_events for each row
  when (new.event = 'confirm' and new.details ? 'taken_back') execute function count_waiting_return();
