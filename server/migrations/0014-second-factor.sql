-- Second factors of users with console access: passkeys, codes of authenticator apps, recovery codes, and challenges of
-- sessions that enrol or verify them.

create table second_factors (
  factor_id bigint generated always as identity primary key,
  user_id bigint not null references users,
  kind text not null check (kind in ('passkey', 'totp')),
  name text not null check (length(name) between 1 and 60),
  -- For a passkey: the id from its authenticator, its public key in COSE, its transports, and the authenticator's own
  -- use count.
  credential_id bytea unique check (length(credential_id) between 1 and 1023),
  public_key bytea,
  transports text[],
  sign_count bigint,
  -- For an authenticator app: the secret, encrypted by the application, and the time step of the last accepted code.
  secret bytea,
  last_step bigint,
  created_at timestamptz not null default clock_timestamp(),
  last_used_at timestamptz,
  constraint second_factors_of_one_kind check (
    case kind
      when 'passkey' then num_nulls(credential_id, public_key, transports, sign_count) = 0 and num_nonnulls(secret, last_step) = 0
      else num_nonnulls(credential_id, public_key, transports, sign_count) = 0 and num_nulls(secret, last_step) = 0
    end)
);
create index second_factors_by_user on second_factors (user_id);
grant select, insert (user_id, kind, name, credential_id, public_key, transports, sign_count, secret, last_step),
  update (name, sign_count, last_step, last_used_at), delete on second_factors to megalot_app;

-- Each can be used once in place of a second factor. A code has 80 random bits, so one round of SHA-256 is enough.
create table recovery_codes (
  user_id bigint not null references users,
  code_hash bytea not null,
  created_at timestamptz not null default clock_timestamp(),
  used_at timestamptz,
  primary key (user_id, code_hash)
);
grant select, insert (user_id, code_hash), update (used_at), delete on recovery_codes to megalot_app;

-- A session's challenges, at most one per purpose. Deleted when answered, rightly or wrongly; an authenticator app's
-- secret when its first code is right.
create table factor_challenges (
  session_id bigint not null references sessions,
  purpose text not null check (purpose in ('enrol_passkey', 'enrol_totp', 'verify_passkey')),
  -- A passkey's challenge, or the encrypted secret.
  content bytea not null,
  expires_at timestamptz not null,
  primary key (session_id, purpose)
);
grant select, insert, update, delete on factor_challenges to megalot_app;

-- Maintains `users.factor_kinds`, which every call reads. Security definer: the application may not write that column.
create function apply_factor_kinds() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
declare of_user bigint := coalesce(new.user_id, old.user_id);
begin
  -- Changes to one user's factors are serialised, so that no change is missed.
  perform 1 from users where user_id = of_user for no key update;
  update users set factor_kinds = array(
    select distinct kind from second_factors where user_id = of_user order by kind)
  where user_id = of_user;
  return null;
end $$;
create trigger apply_factor_kinds after insert or delete on second_factors
  for each row execute function apply_factor_kinds();
