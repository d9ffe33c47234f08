-- Terms of the field: a batch asserts preconditions.

alter function prove(boolean, text) rename to assert_precondition;
alter function assert_precondition(boolean, text) set search_path = public, pg_temp;

create or replace function add_to_member_periods() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  max_allowed bigint := nullif(current_setting('megalot.max_received_satang', true), '')::bigint;
  max_found bigint;
begin
  with added as (
    insert into member_periods as kept
    select user_id, period_id, count(*), sum(bet_satang), sum(received_satang), sum(discount_satang), sum(win_satang)
    from new_orders where status in ('CONFIRMED', 'WAIT_CONFIRM') group by user_id, period_id order by user_id
    on conflict (user_id, period_id) do update set
      ticket_count = kept.ticket_count + excluded.ticket_count,
      bet_satang = kept.bet_satang + excluded.bet_satang,
      received_satang = kept.received_satang + excluded.received_satang,
      discount_satang = kept.discount_satang + excluded.discount_satang,
      win_satang = kept.win_satang + excluded.win_satang
    returning received_satang
  )
  select max(received_satang) into max_found from added;
  if max_found > max_allowed then
    perform assert_precondition(false, 'far_from_number_limit');
  end if;
  return null;
end $$;
