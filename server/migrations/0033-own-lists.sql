-- What members keep on their account for the next bet: favourite markets, by their code, and sets of numbers.
create table own_entries (
  user_id bigint not null references users,
  list text not null check (list in ('favourite_markets', 'number_sets')),
  name text not null check (char_length(name) between 1 and 40),
  -- The rows of a set.
  content jsonb check ((list = 'number_sets') = (content is not null)),
  kept_at timestamptz not null default clock_timestamp(),
  primary key (user_id, list, name)
);
grant select, insert (user_id, list, name, content), update (content, kept_at), delete on own_entries to megalot_app;
grant select on own_entries to megalot_auditor, megalot_reader;

-- Erasing a person erases its lists.
create or replace function erase_person(of_user bigint) returns void language plpgsql security definer set search_path = public, pg_temp as $$
declare
  person users;
  pseudonym text := 'erased' || of_user;
begin
  if not is_executed_now('erase_person', 'user:' || of_user) then
    raise exception 'two people erase a person' using errcode = 'insufficient_privilege';
  end if;
  select * into strict person from users where user_id = of_user for no key update;
  if person.level = 'company' or person.own_status <> 'SUSPENDED' then
    raise exception 'only closed customers are erased' using errcode = 'insufficient_privilege';
  end if;
  -- Somebody may have chosen that name.
  if exists (select from users where username = pseudonym) then
    pseudonym := pseudonym || 'x' || substr(encode(uuid_send(gen_random_uuid()), 'hex'), 1, 8);
  end if;
  delete from recovery_requests where lower(identifier) in (person.username, lower(person.email));
  delete from recovery_links where user_id = of_user;
  delete from recovery_codes where user_id = of_user;
  delete from second_factors where user_id = of_user;
  delete from factor_challenges where session_id in (select session_id from sessions where user_id = of_user);
  delete from known_devices where user_id = of_user;
  delete from email_links where user_id = of_user;
  delete from email_notices where user_id = of_user;
  delete from password_requests where user_id = of_user;
  delete from agent_contacts where user_id = of_user;
  delete from own_entries where user_id = of_user;
  delete from report_files where user_id = of_user;
  delete from idempotent_requests where actor_id = of_user;
  update agent_codes set is_active = false where user_id = of_user and is_active;
  update sessions set address = null, user_agent = null, device_hash = null
    where user_id = of_user and num_nonnulls(address, user_agent, device_hash) > 0;
  update orders set note = '' where user_id = of_user and note <> '';
  -- No hash has this form, so no password opens the account.
  update users set username = pseudonym, display_name = pseudonym, email = null, email_verified_at = null, phone = null,
    password_hash = 'erased', first_half_hash = null, must_change_password = false
    where user_id = of_user;
  -- The reasons of the erasing itself stay, with its audit rows.
  update approvals set state_before = null, state_after = '{}', figures = '{}',
      reason = case kind when 'erase_person' then reason else 'erased' end,
      decision_reason = case when kind = 'erase_person' or decision_reason is null then decision_reason else 'erased' end
    where subject = 'user:' || of_user or subject in (select 'order:' || order_id from orders where user_id = of_user);
  perform erase_audit(of_user);
end $$;
