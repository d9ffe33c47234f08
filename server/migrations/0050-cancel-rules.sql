-- When members of a market may take tickets back: each market has its own, a round of fifteen minutes others than a draw of
-- the month (§4 of the domain rules).
alter table products add column cancel_rules jsonb not null
  default '{"window_minutes": 30, "max_tickets": 10, "before_close_minutes": 5}'
  constraint cancel_rules_are_whole check (coalesce(
    (cancel_rules->>'window_minutes')::int between 0 and 1440
    and (cancel_rules->>'max_tickets')::int between 0 and 1000
    and (cancel_rules->>'before_close_minutes')::int between 0 and 1440, false));

create trigger tell_live_of_cancel_rules after update of cancel_rules on products for each row
  when (old.cancel_rules is distinct from new.cancel_rules) execute function tell_live('{"markets":true}');
