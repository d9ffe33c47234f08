-- The database of the application and its log-ins, made by a superuser on the leader. It may run again: passwords are set anew. The
-- log-ins are those of `server/roles.sql`, which is run from a checkout.
--
--   OWNER_PASSWORD="$(cat owner-password)" APP_PASSWORD="$(cat app-password)" psql -X -v ON_ERROR_STOP=1 -f deploy/cluster/roles.sql
\getenv owner_password OWNER_PASSWORD
\getenv app_password APP_PASSWORD
select 'create database megalot' where not exists (select 1 from pg_database where datname = 'megalot') \gexec
\connect megalot
-- An error must not put a password into the server's log.
set log_min_error_statement = panic;
set log_statement = 'none';
set log_min_duration_statement = -1;
select set_config('megalot.owner_password', :'owner_password', false), set_config('megalot.app_password', :'app_password', false) \g /dev/null
\ir ../../server/roles.sql
