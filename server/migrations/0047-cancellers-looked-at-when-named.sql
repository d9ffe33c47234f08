-- Nobody has cancelled a ticket that is being placed. The reference to who did is looked at where somebody is named, not for
-- every ticket that is written.

alter table orders drop constraint orders_cancelled_by_fkey;
revoke insert on orders from megalot_app;
grant insert (order_id, request_id, content_hash, user_id, period_id, package_id, status, note, item_count, bet_satang,
  received_satang, discount_satang, win_satang, created_at, validated_at, processed_at, placed_at, confirm_deadline_at, lines,
  bet_keys) on orders to megalot_app;

create function refuse_unknown_canceller() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if not exists (select 1 from users where user_id = new.cancelled_by) then
    raise exception 'a ticket was cancelled by nobody' using errcode = 'foreign_key_violation';
  end if;
  return new;
end $$;
create trigger refuse_unknown_canceller before update of cancelled_by on orders for each row
  when (new.cancelled_by is not null) execute function refuse_unknown_canceller();
