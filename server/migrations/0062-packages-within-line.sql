-- A user never has a package that its parent has not: what a child is given is never more than its parent has (§8 of the domain
-- rules). Users are placed in the tree while no package is taken, or a new child could keep what its parent loses.

create function wait_for_tree_of_packages() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform pg_advisory_xact_lock_shared(7361207);
  else
    perform pg_advisory_xact_lock(7361207);
  end if;
  return null;
end $$;
create trigger wait_for_tree before insert or delete on user_packages
  for each statement execute function wait_for_tree_of_packages();

create function refuse_packages_beyond_parent() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    if not exists (
      select 1 from changed join users using (user_id)
        left join user_packages above on above.user_id = users.parent_id and above.package_id = changed.package_id
      where users.parent_id is not null and above.user_id is null
    ) then
      return null;
    end if;
  elsif not exists (
    select 1 from changed join users child on child.parent_id = changed.user_id
      join user_packages given on given.user_id = child.user_id and given.package_id = changed.package_id
  ) then
    return null;
  end if;
  raise exception 'a user would have a package that its parent has not'
    using errcode = 'check_violation', constraint = 'packages_within_line';
end $$;
create trigger refuse_beyond_parent_given after insert on user_packages
  referencing new table as changed for each statement execute function refuse_packages_beyond_parent();
create trigger refuse_beyond_parent_taken after delete on user_packages
  referencing old table as changed for each statement execute function refuse_packages_beyond_parent();

-- Those whose packages changed are told: so many to a notification as it holds.
create function tell_live_packages() returns trigger language plpgsql as $$
begin
  perform pg_notify('megalot_live', json_build_object('packages', json_agg(user_id))::text)
    from (
      select user_id, row_number() over (order by user_id) / 400 as part from (select distinct user_id from changed) users
    ) parts group by part;
  return null;
end $$;
create trigger tell_live_given after insert on user_packages
  referencing new table as changed for each statement execute function tell_live_packages();
create trigger tell_live_taken after delete on user_packages
  referencing old table as changed for each statement execute function tell_live_packages();
