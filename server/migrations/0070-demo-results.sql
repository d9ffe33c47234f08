-- Results that were generated for the demo are marked, so that nobody takes them for real ones.

alter table awards add column is_demo boolean not null default false;

-- The product itself marks none: only the owner does, with the demo's seed and its job.
create function refuse_demo_mark() returns trigger language plpgsql set search_path = public, pg_temp as $$
begin
  if current_user = 'megalot_app' then
    raise exception 'a result that people enter is no demo result' using errcode = 'insufficient_privilege';
  end if;
  return new;
end $$;
create trigger refuse_demo_mark_on_insert before insert on awards for each row
  when (new.is_demo) execute function refuse_demo_mark();
create trigger refuse_demo_mark_on_update before update of is_demo on awards for each row
  when (new.is_demo and not old.is_demo) execute function refuse_demo_mark();
