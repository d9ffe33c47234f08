-- The role the product works as, and the guard that keeps records of money and deeds append-only.

do $$ begin
  create role megalot_app nologin;
exception when duplicate_object or unique_violation then null;
end $$;
do $$ begin
  execute format('grant megalot_app to %I', current_user);
end $$;
grant usage on schema public to megalot_app;

-- Whether a row (by its xmin) was written by the transaction that asks.
create function written_now(row_xmin xid) returns boolean language sql stable as $$
  select row_xmin = pg_current_xact_id()::xid
$$;

-- Refuses every change of a row that has once been written, whoever asks.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end $$;
