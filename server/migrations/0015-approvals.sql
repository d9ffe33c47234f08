-- Approvals: what one person of the office may not do alone. One proposes, another approves, and the approving transaction
-- executes it. Voids and results have tables of their own, with two people in each row.

create table approvals (
  approval_id bigint generated always as identity primary key,
  kind text not null
    check (kind in ('create_period', 'move_period', 'postpone_period', 'change_terms', 'change_share', 'change_company_credit', 'set_quota', 'set_period_quota',
      'set_package_quota', 'grant_role',
      'reset_password', 'reset_factors', 'change_timetable', 'repair_ticket')),
  payload jsonb not null,
  subject text not null,
  -- The market that it concerns; null: none.
  product_code text references products,
  -- The state on which the proposal is based, and the one it leads to. Another state at the approval refuses it.
  state_before jsonb,
  state_after jsonb not null,
  figures jsonb not null,
  -- Where the approval gives a user a one-time password in two halves: SHA-256 of the proposer's half, the first one.
  first_half_hash bytea check (octet_length(first_half_hash) = 32),
  reason text not null check (length(reason) between 3 and 200),
  proposed_by bigint not null references users,
  proposed_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null default clock_timestamp() + interval '24 hours',
  state text not null default 'waiting' check (state in ('waiting', 'executed', 'rejected', 'withdrawn')),
  decided_by bigint references users,
  decided_at timestamptz,
  decision_reason text check (length(decision_reason) between 3 and 200),
  -- The transaction that executed it. What needs the approval is done in this one alone: a period is moved (`is_approved_move`), a user
  -- changed (`is_approved_for`), a ticket repaired (`require_approval_of_repair`).
  executed_in xid8,
  constraint approvals_decided_by_somebody check ((state = 'waiting') = (decided_by is null)),
  constraint approvals_decided_at_some_time check ((state = 'waiting') = (decided_at is null)),
  constraint approvals_executed_in_a_transaction check ((state = 'executed') = (executed_in is not null)),
  -- What is shown is what is executed. A number, because a text such as `07` would name another subject than it is read as.
  constraint approvals_name_their_subject check (coalesce(subject = case
    when kind in ('grant_role', 'reset_password', 'reset_factors', 'change_share')
      then case when jsonb_typeof(payload -> 'user_id') = 'number' then 'user:' || (payload ->> 'user_id') end
    when kind = 'repair_ticket' then case when jsonb_typeof(payload -> 'order_id') = 'number' then 'order:' || (payload ->> 'order_id') end
    when kind = 'create_period' then 'period:' || (state_after ->> 'period_code')
    when kind in ('move_period', 'postpone_period', 'set_period_quota') or (kind = 'set_package_quota' and payload ->> 'period_code' is not null)
      then 'period:' || (payload ->> 'period_code')
    when kind = 'change_timetable' then 'product:' || (payload ->> 'product_code')
    else subject end, false)),
  constraint approvals_name_their_role check (kind <> 'grant_role' or coalesce(state_after ->> 'office_role' = payload ->> 'office_role', false)),
  constraint approvals_need_two_people check (state not in ('executed', 'rejected') or decided_by <> proposed_by)
);
create index approvals_waiting on approvals (proposed_at) where state = 'waiting';
create index approvals_by_execution on approvals (executed_in) where state = 'executed';
grant select, insert (kind, payload, subject, product_code, state_before, state_after, figures, first_half_hash, reason,
    proposed_by),
  update (state, decided_by, decision_reason) on approvals to megalot_app;

-- A proposal is decided once, by another person unless it is withdrawn, and executed before it expires. The time and the
-- transaction are the database's. Nothing else of it changes, and nothing at all once it is decided.
create function guard_approval() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  -- After a restore the owner lets what waits expire.
  if acts_as_owner() and old.state = 'waiting' and new.expires_at < old.expires_at
    and to_jsonb(new) - 'expires_at' = to_jsonb(old) - 'expires_at' then
    return new;
  end if;
  if old.state <> 'waiting' or new.state = 'waiting' then
    raise exception 'a proposal is decided once' using errcode = 'check_violation', constraint = 'approvals_decided_once';
  end if;
  if (new.approval_id, new.kind, new.payload, new.subject, new.product_code, new.state_before, new.state_after,
      new.figures, new.first_half_hash, new.reason, new.proposed_by, new.proposed_at, new.expires_at)
    is distinct from (old.approval_id, old.kind, old.payload, old.subject, old.product_code, old.state_before,
      old.state_after, old.figures, old.first_half_hash, old.reason, old.proposed_by, old.proposed_at, old.expires_at) then
    raise exception 'what was proposed stays as it is' using errcode = 'insufficient_privilege';
  end if;
  if new.state = 'executed' and old.expires_at <= clock_timestamp() then
    raise exception 'the proposal has expired' using errcode = 'check_violation', constraint = 'approvals_in_time';
  end if;
  if (new.state = 'withdrawn') <> (principal_of(new.decided_by) = principal_of(old.proposed_by)) then
    raise exception 'approvals needs two people' using errcode = 'check_violation', constraint = 'two_people';
  end if;
  new.decided_at := clock_timestamp();
  new.executed_in := case when new.state = 'executed' then pg_current_xact_id() end;
  return new;
end $$;
create trigger guard_approval before update on approvals for each row execute function guard_approval();
create trigger require_office before insert on approvals for each row
  when (not acts_as_owner()) execute function require_office('proposed_by');
-- The end of a proposal gives nobody anything: one of a suspended user can still be rejected.
create trigger require_office_of_execution before update of state on approvals for each row
  when (new.state = 'executed' and not acts_as_owner()) execute function require_office('proposed_by', 'decided_by');

-- A proposal is made and decided with the audit row of whoever does it, which says what is executed and what it leads to.
create function require_audit_of_approval() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare
  -- Added last: the same keys in `state_after` do not replace them.
  about jsonb := jsonb_build_object('kind', new.kind, 'subject', new.subject);
  made jsonb := about || jsonb_build_object('payload', new.payload);
  action text := case new.state
    when 'waiting' then 'propose' when 'executed' then 'approve' when 'rejected' then 'reject' else 'withdraw' end || '_approval';
begin
  if not is_audited_as('approval:' || new.approval_id, array[action], case new.state
      when 'waiting' then new.state_after || made
      when 'executed' then new.state_after || made || jsonb_build_object('proposed_by', new.proposed_by)
      else about || jsonb_build_object('state', new.state) end,
    by_actor => coalesce(new.decided_by, new.proposed_by), exactly => true) then
    raise exception 'a proposal is made and decided with rows of the audit log'
      using errcode = 'check_violation', constraint = 'approvals_are_audited';
  end if;
  return null;
end $$;
create constraint trigger require_audit_of_proposal after insert on approvals deferrable initially deferred
  for each row when (not acts_as_owner()) execute function require_audit_of_approval();
create constraint trigger require_audit_of_approval after update of state on approvals deferrable initially deferred
  for each row when (not acts_as_owner()) execute function require_audit_of_approval();
create function refuse_deleted_approval() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  raise exception 'proposals are kept' using errcode = 'insufficient_privilege';
end $$;
create trigger keep_approvals before delete or truncate on approvals execute function refuse_deleted_approval();

-- Office users look again at what waits for a second person.
create trigger notify_live after insert or update on approvals for each statement
  execute function notify_live('{"approvals":true}');
create trigger notify_live_approvals after insert or delete or update of approved_by on void_requests for each statement
  execute function notify_live('{"approvals":true}');
create trigger notify_live_approvals after insert or delete or update of approved_by on period_voids for each statement
  execute function notify_live('{"approvals":true}');
create trigger notify_live_approvals after insert or delete or update of state on awards for each statement
  execute function notify_live('{"approvals":true}');
create trigger notify_live_approvals after insert or delete or update of state on award_corrections for each statement
  execute function notify_live('{"approvals":true}');

-- Whether this transaction executes a proposal that gives a period these times.
create function is_approved_move(moved periods) returns boolean language sql stable
begin atomic
  select exists (
    select 1 from approvals a
    where a.kind in ('move_period', 'postpone_period') and a.state = 'executed' and a.executed_in = pg_current_xact_id()
      and a.payload->>'period_code' = moved.period_code
      and (a.state_after->>'open_at')::timestamptz = moved.open_at and (a.state_after->>'close_at')::timestamptz = moved.close_at
      and (a.state_after->>'draw_at')::timestamptz = moved.draw_at);
end;
grant update (open_at, draw_at) on periods to megalot_app;

-- Whether this transaction executes a proposal about a user.
create function is_approved_for(of_user bigint, kinds text[], role text default null) returns boolean language sql stable
begin atomic
  select exists (
    select 1 from approvals a
    where a.kind = any(kinds) and a.state = 'executed' and a.executed_in = pg_current_xact_id()
      and (a.payload->>'user_id')::bigint = of_user and (role is null or a.payload->>'office_role' = role));
end;

-- Whether this transaction has written an audit row about a user. A row that is not in the chain yet is always of the own
-- transaction, because the others' are added before anybody sees them.
create function is_audited_now(of_user bigint, actions text[], by_user bigint default null) returns boolean language sql stable
begin atomic
  select exists (
    select 1 from audit_log a
    where a.subject = 'user:' || of_user and a.action = any(actions) and (by_user is null or a.actor_id = by_user)
      and (a.chain_no is null or a.xmin = pg_current_xact_id()::xid));
end;

-- What makes somebody a person of the office, or gives somebody else the name of one. It is decided at the commit, when the
-- proposal and the audit row are there, and for everybody but the owner: the log-in of the application alone makes no office
-- user, no owner and no password of a colleague.
create function guard_office() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if acts_as_owner() then
    return null;
  end if;
  if tg_op = 'INSERT' then
    if new.principal_id is not null then
      -- An assistant counts as its principal where two people are needed.
      if not is_audited_now(new.user_id, array['create_assistant']) then
        raise exception 'an assistant of the office is made by its principal' using errcode = 'check_violation',
          constraint = 'office_needs_two';
      end if;
    elsif new.office_role is distinct from 'none' or not new.is_office then
      raise exception 'an office user begins without a role' using errcode = 'check_violation', constraint = 'office_needs_two';
    end if;
    return null;
  end if;
  -- Roles that may view or do nothing that the present one may not (`listGained` of the contract) need one person, except for an
  -- owner's.
  if new.office_role is distinct from old.office_role
    and (old.office_role = 'owner' or (new.office_role <> 'none' and (old.office_role, new.office_role) <> ('auditor', 'support')))
    and not is_approved_for(new.user_id, array['grant_role'], new.office_role) then
    raise exception 'two people grant a role' using errcode = 'check_violation', constraint = 'office_needs_two';
  end if;
  -- Without the hash of its first half, the second half alone is the password.
  if (new.password_hash, new.first_half_hash) is distinct from (old.password_hash, old.first_half_hash)
    and (new.office_role is not null or new.principal_id is not null)
    and not is_approved_for(new.user_id, array['grant_role', 'reset_password'])
    -- The user itself, who had a session for it, which ends; or the principal of an assistant.
    and not (is_audited_now(new.user_id, array['change_password'], new.user_id) and exists (
      select 1 from sessions s
      where s.user_id = new.user_id and s.end_reason = 'password_changed' and s.ended_at >= transaction_timestamp()))
    and not (new.principal_id is not null and new.must_change_password
      and is_audited_now(new.user_id, array['set_one_time_password'])) then
    raise exception 'two people set a password of the office' using errcode = 'check_violation', constraint = 'office_needs_two';
  end if;
  return null;
end $$;
create constraint trigger guard_office_insert after insert on users deferrable initially deferred
  for each row when (new.is_office or new.level = 'company') execute function guard_office();
create constraint trigger guard_office_update after update of office_role, password_hash, first_half_hash on users deferrable initially deferred
  for each row when ((new.is_office or new.principal_id is not null)
    and (new.office_role, new.password_hash, new.first_half_hash) is distinct from (old.office_role, old.password_hash, old.first_half_hash))
  execute function guard_office();

-- Entries of a repair have the key `repair:APPROVAL:…`, and `committed_in_time` passes over them: they are written by an approved repair of
-- their ticket alone.
create function require_approval_of_repair() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if not exists (
    select 1 from approvals a
    where a.kind = 'repair_ticket' and a.state = 'executed' and a.executed_in = pg_current_xact_id()
      and a.subject = 'order:' || new.order_id and starts_with(new.idempotency_key, 'repair:' || a.approval_id || ':')) then
    raise exception 'an entry of a repair needs its approval' using errcode = 'check_violation', constraint = 'repairs_are_approved';
  end if;
  return new;
end $$;
create trigger require_approval_of_repair before insert on entries for each row
  when (starts_with(new.idempotency_key, 'repair:')) execute function require_approval_of_repair();
