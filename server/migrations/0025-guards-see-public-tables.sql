-- The guards look at the tables they mean: without this a temporary table of the same name would come first, and a late
-- ticket or an oversold quota would pass for whoever can make one.
do $$
declare guard regprocedure;
begin
  for guard in
    select p.oid::regprocedure from pg_proc p join pg_language l on l.oid = p.prolang
    where p.pronamespace = 'public'::regnamespace and l.lanname = 'plpgsql'
      and not exists (select 1 from unnest(p.proconfig) setting where setting like 'search_path=%')
  loop
    execute format('alter function %s set search_path = public, pg_temp', guard);
  end loop;
end $$;
