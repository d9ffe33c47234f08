-- Two who give or take a user's packages at the same time: the second reads what the first has written, which it would not in
-- the statement that waited for the user's row.
create or replace function keep_package_ids() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform 1 from users where user_id in (select user_id from changed) order by user_id for no key update;
  update users set package_ids = array(select package_id from user_packages given where given.user_id = users.user_id)
    where user_id in (select user_id from changed);
  return null;
end $$;
