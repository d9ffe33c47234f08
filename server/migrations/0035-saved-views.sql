-- Filters, sort and columns of a console list under a name: an operator's own, and those that it shares.
create table saved_views (
  user_id bigint not null references users,
  page text not null check (page ~ '^[a-z_-]{1,40}$'),
  name text not null check (char_length(name) between 1 and 40),
  -- The search parameters of the page's address.
  search text not null check (char_length(search) <= 1000),
  is_shared boolean not null default false,
  saved_at timestamptz not null default clock_timestamp(),
  primary key (user_id, page, name)
);
create index saved_views_shared on saved_views (page) where is_shared;
grant select, insert (user_id, page, name, search, is_shared), update (search, is_shared, saved_at), delete on saved_views to megalot_app;
grant select on saved_views to megalot_auditor, megalot_reader;
