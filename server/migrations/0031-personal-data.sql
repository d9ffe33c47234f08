-- Removing personal data: of a person that two people erase, and of everybody after some time.

-- Whether content of the audit log names a person.
create function names_person(content jsonb) returns boolean language sql immutable set search_path = public, pg_temp as $$
  select coalesce(content @? '$.** ? (exists(@.username) || exists(@.display_name) || exists(@.name) || exists(@.email)
    || exists(@.phone) || exists(@.line_id))', false)
$$;

-- Makes a person unreadable. Money, tickets and the chain of the audit log stay, under the user id. Only the transaction
-- that executes the proposal may do it (`identity/personal-data/erase-person.ts`).
create function erase_person(of_user bigint) returns void language plpgsql security definer set search_path = public, pg_temp as $$
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
revoke all on function erase_person(bigint) from public;
grant execute on function erase_person(bigint) to megalot_app;

-- Removes addresses of the person's own calls, reasons of what was done about it, and contents that name it.
create function erase_audit(of_user bigint) returns void language plpgsql set search_path = public, pg_temp as $$
declare
  entry audit_log;
begin
  for entry in
    select * from audit_log where actor_id = of_user
    union
    select * from audit_log where subject_user_id = of_user
  loop
    if entry.actor_id = of_user or (entry.actor_id is null and entry.subject_user_id = of_user) then
      entry.address := null;
      entry.salts[1] := null;
    end if;
    if names_person(entry.before) then
      entry.before := null;
      entry.salts[2] := null;
    end if;
    if names_person(entry.after) then
      entry.after := null;
      entry.salts[3] := null;
    end if;
    if entry.subject_user_id = of_user then
      entry.reason := null;
      entry.salts[4] := null;
    end if;
    update audit_log set address = entry.address, before = entry.before, after = entry.after, reason = entry.reason,
        salts = entry.salts
      where audit_id = entry.audit_id and num_nonnulls(address, before, after, reason) >
        num_nonnulls(entry.address, entry.before, entry.after, entry.reason);
  end loop;
end $$;
revoke all on function erase_audit(bigint) from public;
