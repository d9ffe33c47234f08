-- Quotas and numbers are set by any node, by the office's command line, by a person with psql: the database itself tells that
-- numbers may have changed their colour, with the commit. Nothing of it is written when a ticket is.

create trigger tell_live after insert or update or delete on quota_settings for each statement
  execute function tell_live('{"all_numbers":true}');

create function tell_live_numbers() returns trigger language plpgsql as $$
declare
  codes text[] := array(select period_code from periods where period_id in (select period_id from changed));
begin
  -- An insert that comes upon its own rows is an update too: one of the two has changed nothing.
  if cardinality(codes) > 0 then
    perform pg_notify('megalot_live', json_build_object('numbers', codes)::text);
  end if;
  return null;
end $$;
create trigger tell_live_inserted after insert on number_settings
  referencing new table as changed for each statement execute function tell_live_numbers();
create trigger tell_live_updated after update on number_settings
  referencing new table as changed for each statement execute function tell_live_numbers();
