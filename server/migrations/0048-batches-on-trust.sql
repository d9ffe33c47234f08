-- A batch may be decided by what a node remembers of a period and its members. It goes out as one, with statements that prove
-- what was remembered, under the same locks as a batch that reads: where something is otherwise by now, nothing is written.

create function prove(holds boolean, what text) returns void language plpgsql as $$
begin
  if holds is not true then
    raise exception 'it is not as it was remembered' using errcode = 'check_violation', constraint = what;
  end if;
end $$;

-- Who decides without looking at what a member has in the period says how much it may come to (`megalot.received_at_most`):
-- as long as all of it stays below every limit per number, no number can have passed one.
create or replace function add_to_member_periods() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare
  at_most bigint := nullif(current_setting('megalot.received_at_most', true), '')::bigint;
  most bigint;
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
  select max(received_satang) into most from added;
  if most > at_most then
    perform prove(false, 'received_is_little');
  end if;
  return null;
end $$;
