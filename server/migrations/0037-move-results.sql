-- Moves the results of periods that were settled before `0034-money.sql`, and counts what people owe each other. Apart
-- from it, so that bets do not wait: only settlement and payments do.

alter table accounts validate constraint accounts_kind_check;
alter table accounts validate constraint accounts_of_users;
alter table accounts validate constraint accounts_of_users_have_a_floor;
alter table entries validate constraint entries_kind_check;

select rebuild_edges();
