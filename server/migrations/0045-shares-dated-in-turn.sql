-- Shares hold from the moment in which they were found to fit: dated before its turn, a change would stand among earlier ones
-- that it was not held against, and a period that opened meanwhile would give away more than everything.
create function date_in_turn() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  perform pg_advisory_xact_lock(7361210);
  new.since_at := clock_timestamp();
  return new;
end $$;
-- Before `refuse_wrong_shares`, by its name.
create trigger date_in_turn before insert on share_terms for each row execute function date_in_turn();
