-- Floors come back where nobody else is at work on the account; the next round comes to the others. Waiting for one account
-- would keep every period from being settled, and holding some while waiting for others could make a circle with tickets.
create or replace function lower_owed() returns void language sql security definer set search_path = public, pg_temp as $$
  with free as materialized (
    select account_id from accounts where owed_satang > 0 and owed_satang > floor_satang - balance_satang
    for no key update skip locked
  )
  update accounts set owed_satang = greatest(0, floor_satang - balance_satang)
  from free where accounts.account_id = free.account_id
$$;
