-- Uplines and the office set the status of those under them.

-- Who set `own_status`; absent: nobody has yet. What somebody above has set, somebody below does not undo.
alter table users add column status_set_by bigint references users;
grant update (status_set_by) on users to megalot_app;

-- A suspension ends the live sessions of the user and of everybody under it, for good: they do not come back with the status.
create function end_sessions_of_suspended() returns trigger language plpgsql as $$
begin
  update sessions set ended_at = clock_timestamp(), end_reason = 'suspended'
    where session_id in (
      -- In sorted order, so that two suspensions over the same users do not wait in a circle.
      select s.session_id from sessions s join users u using (user_id)
      where s.ended_at is null and (u.user_id = new.user_id or u.upline_ids @> array[new.user_id])
      order by s.session_id for no key update of s
    );
  return null;
end $$;
create trigger end_sessions_of_suspended after update of own_status on users for each row
  when (new.own_status = 'SUSPENDED' and old.own_status <> 'SUSPENDED')
  execute function end_sessions_of_suspended();
