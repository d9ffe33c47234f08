-- A result is entered after the draw and never before it, whoever writes it (§1 of the domain rules).

create function refuse_award_before_draw() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if clock_timestamp() < (select draw_at from periods where period_id = new.period_id) then
    raise exception 'the period is not drawn yet' using errcode = 'check_violation', constraint = 'awards_after_draw';
  end if;
  return new;
end $$;
create trigger refuse_award_before_draw before insert or update on awards
  for each row execute function refuse_award_before_draw();
