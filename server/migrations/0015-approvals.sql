-- Approvals: what one person of the office may not do alone. One proposes, another approves, and the approving transaction
-- executes it. Results have tables of their own, with two people in each row.

create table approvals (
  approval_id bigint generated always as identity primary key,
  -- The name of the change.
  kind text not null,
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
  -- The transaction that executed it. A ticket is repaired, and a ticket or a period voided, in this one alone.
  executed_in xid8,
  constraint approvals_decided_by_somebody check ((state = 'waiting') = (decided_by is null)),
  constraint approvals_decided_at_some_time check ((state = 'waiting') = (decided_at is null)),
  constraint approvals_executed_in_a_transaction check ((state = 'executed') = (executed_in is not null)),
  constraint approvals_need_two_people check (state not in ('executed', 'rejected') or decided_by <> proposed_by)
);
create index approvals_waiting on approvals (proposed_at) where state = 'waiting';
create index approvals_by_end on approvals (coalesce(decided_at, expires_at) desc, approval_id);
create index approvals_by_execution on approvals (executed_in) where state = 'executed';
create index approvals_by_subject on approvals (subject);
grant select, insert (kind, payload, subject, product_code, state_before, state_after, figures, first_half_hash, reason,
    proposed_by),
  update (state, decided_by, decision_reason) on approvals to megalot_app;

-- A proposal is decided once, by another person unless it is withdrawn, and executed before it expires. The time and the
-- transaction are the database's. Nothing else of it changes, and nothing at all once it is decided.
create function guard_approval() returns trigger language plpgsql set search_path = public, pg_temp as $$
declare contents constant text[] := array['state_before', 'state_after', 'figures', 'reason', 'decision_reason'];
begin
  -- The end of a proposal gives nobody anything: one of a suspended user can still be rejected.
  if not acts_as_owner() and (tg_op = 'INSERT' or new.state = 'executed')
    and not (is_of_office(new.proposed_by) and (new.decided_by is null or is_of_office(new.decided_by))) then
    raise exception 'approvals is decided by the office' using errcode = 'check_violation', constraint = 'office_decides';
  end if;
  if tg_op = 'INSERT' then
    return new;
  end if;
  -- After a restore the owner lets what waits expire.
  if acts_as_owner() and old.state = 'waiting' and new.expires_at < old.expires_at
    and to_jsonb(new) - 'expires_at' = to_jsonb(old) - 'expires_at' then
    return new;
  end if;
  -- The transaction that erases a person removes what proposals about that person say of it.
  if acts_as_owner() and is_erased_now(old.subject)
    and to_jsonb(new) - contents = to_jsonb(old) - contents then
    return new;
  end if;
  if old.state <> 'waiting' or new.state = 'waiting' then
    raise exception 'a proposal is decided once' using errcode = 'check_violation', constraint = 'approvals_decided_once';
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
create trigger guard_approval before insert or update on approvals for each row execute function guard_approval();
create constraint trigger require_audit after insert or update of state on approvals deferrable initially deferred
  for each row when (not acts_as_owner()) execute function require_audit('approval:', 'approval_id');

alter table period_voids add foreign key (approval_id) references approvals;

-- Whether this transaction executes a proposal about a subject.
create function is_executed_now(of_kind text, of_subject text) returns boolean language sql stable
  set search_path = public, pg_temp as $$
  select exists (select 1 from approvals
    where state = 'executed' and executed_in = pg_current_xact_id() and kind = of_kind and subject = of_subject)
$$;

-- Whether this transaction erases the person whom a subject is about: a user, or the owner of a ticket.
create function is_erased_now(of_subject text) returns boolean language sql stable set search_path = public, pg_temp as $$
  select is_executed_now('erase_person', case when of_subject like 'order:%'
    then (select 'user:' || user_id from orders where order_id = substr(of_subject, 7)::bigint) else of_subject end)
$$;

-- Periods that somebody asks to void, for the reader, which sees no other proposals.
create view waiting_period_voids as
  select subject from approvals where kind = 'void_period' and state = 'waiting' and expires_at > clock_timestamp();
grant select on waiting_period_voids to megalot_app;

-- Office users look again at what waits for a second person.
create trigger notify_live after insert or update on approvals for each statement
  execute function notify_live('{"approvals":true}');
create trigger notify_live_approvals after insert or delete or update of state on awards for each statement
  execute function notify_live('{"approvals":true}');
create trigger notify_live_approvals after insert or delete or update of state on award_corrections for each statement
  execute function notify_live('{"approvals":true}');
