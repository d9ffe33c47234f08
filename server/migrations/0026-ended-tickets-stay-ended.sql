-- What has become of a ticket is not undone, whoever asks: one that ended does not come back once the result is known, one
-- that was confirmed does not wait again, and lines are given back by a ticket that waits alone.
create function refuse_undoing() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  raise exception 'what has become of a ticket is not undone' using errcode = 'insufficient_privilege';
end $$;
create trigger refuse_undoing before update of status, returned_lines on orders for each row
  when ((new.status <> old.status and (old.status in ('CANCELLED', 'DELETED', 'INVALID') or new.status = 'WAIT_CONFIRM'))
    or (new.returned_lines is distinct from old.returned_lines and old.status <> 'WAIT_CONFIRM'))
  execute function refuse_undoing();
