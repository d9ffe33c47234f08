-- Lets the nodes of the application read how much is left on the disks of the leader: they refuse bets before one is full. Run by
-- roles.sql, in the database of the application, as a superuser. Nobody else can change the command.
create extension if not exists file_fdw;
create schema if not exists machine;
create server if not exists machine foreign data wrapper file_fdw;
-- A row for the disk of the tables, and one for that of the write-ahead log. One command without a pipe: where df fails, so does the query.
create foreign table if not exists machine.disks (free_kilobytes bigint)
  server machine options (program 'df -k --output=avail . pg_wal', format 'csv', header 'true');
grant usage on schema machine to megalot_owner;
grant select on machine.disks to megalot_owner;
