-- Markets (products), their periods, and the packages ("reward rates") that users are given.

create table products (
  product_code text primary key check (product_code ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  name_th text not null,
  name_en text not null,
  group_code text not null check (group_code in ('government', 'lao', 'hanoi', 'malay', 'stock', 'yeekee')),
  country_code text not null,
  bet_types text[] not null,
  -- When its periods open, close and are drawn, in Asia/Bangkok; absent: periods are made by hand.
  timetable jsonb,
  -- What 3bottom wins on: the back three alone, or the front three as well.
  bottom3_set text not null default 'back' check (bottom3_set in ('back', 'front+back')),
  is_enabled boolean not null default true,
  position int not null
);

create table periods (
  period_id int generated always as identity primary key,
  period_code text not null unique,
  product_code text not null references products,
  period_date date not null,
  round int check (round > 0),
  open_at timestamptz not null,
  close_at timestamptz not null,
  draw_at timestamptz not null,
  -- settling: the award is agreed and wins are being paid.
  outcome text not null default 'pending' check (outcome in ('pending', 'settling', 'settled', 'void')),
  -- As the market had it when the period was made: what 3bottom wins on does not change after bets were taken.
  bottom3_set text not null check (bottom3_set in ('back', 'front+back')),
  check (open_at <= close_at and close_at <= draw_at)
);
create index periods_by_product on periods (product_code, close_at);
create index periods_to_settle on periods (period_id) where outcome = 'settling';
alter table accounts add foreign key (period_id) references periods;

create function freeze_period_rules() returns trigger language plpgsql as $$
begin
  select bottom3_set into strict new.bottom3_set from products where product_code = new.product_code;
  return new;
end $$;
create trigger freeze_period_rules before insert on periods for each row execute function freeze_period_rules();

-- A period can be closed early, never late and never again; and its outcome only goes forward.
create function guard_period() returns trigger language plpgsql as $$
begin
  if new.close_at <> old.close_at and (new.close_at > old.close_at or old.close_at <= clock_timestamp()) then
    raise exception 'a period cannot be opened again' using errcode = 'check_violation', constraint = 'periods_close_once';
  end if;
  if new.outcome <> old.outcome and (old.outcome, new.outcome) not in
    (('pending', 'settling'), ('settling', 'settled'), ('pending', 'void')) then
    raise exception 'a period cannot go from % to %', old.outcome, new.outcome
      using errcode = 'check_violation', constraint = 'periods_go_forward';
  end if;
  return new;
end $$;
create trigger guard_period before update on periods for each row execute function guard_period();

-- Each period has its account from the start, so that taking a bet never has to make one.
create function open_period_account() returns trigger language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into accounts (kind, period_id) values ('period', new.period_id);
  return null;
end $$;
create trigger open_period_account after insert on periods for each row execute function open_period_account();

create table packages (
  package_id int generated always as identity primary key,
  product_code text not null references products,
  package_code text not null check (package_code ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
  name text not null,
  max_items int not null default 500 check (max_items between 1 and 2000),
  position int not null,
  unique (product_code, package_code)
);

create table package_terms (
  package_id int not null references packages,
  bet_type text not null,
  -- Payout per stake in hundredths; discount in hundredths of a percent.
  rate int not null check (rate between 0 and 10000000),
  discount_rate int not null check (discount_rate between 0 and 10000),
  min_satang bigint not null check (min_satang > 0),
  max_satang bigint not null,
  max_per_number_satang bigint not null,
  is_on boolean not null default true,
  check (min_satang <= max_satang and max_satang <= max_per_number_satang),
  primary key (package_id, bet_type)
);

create table user_packages (
  user_id bigint not null references users,
  package_id int not null references packages,
  primary key (user_id, package_id)
);

grant select, insert, update on products, packages, package_terms to megalot_app;
grant select, insert, update (close_at, outcome) on periods to megalot_app;
grant select, insert, delete on user_packages to megalot_app;
