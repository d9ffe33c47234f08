-- What members keep on their account for the next bet: favourite markets, by their code, and sets of numbers.
create table own_entries (
  user_id bigint not null references users,
  list text not null check (list in ('favourite_markets', 'number_sets')),
  name text not null check (char_length(name) between 1 and 40),
  -- The rows of a set.
  content jsonb check ((list = 'number_sets') = (content is not null)),
  kept_at timestamptz not null default clock_timestamp(),
  primary key (user_id, list, name)
);
grant select, insert (user_id, list, name, content), update (content, kept_at), delete on own_entries to megalot_app;
grant select on own_entries to megalot_auditor, megalot_reader;
