-- Web push: browsers to which members have notifications sent, and the queue of what is sent to them.

-- A row ends with its session's log-out, with a new password, and when the push service no longer knows it. Logging in
-- again on the browser moves it to the new session.
create table push_subscriptions (
  subscription_id bigint generated always as identity primary key,
  user_id bigint not null references users,
  -- The last session of the browser. Sessions are removed after years, and their subscriptions with them.
  session_id bigint not null references sessions on delete cascade,
  -- The address at the browser's push service. Who knows it and the keys can send to the browser.
  endpoint text not null unique check (length(endpoint) <= 1000),
  -- The browser's keys for encrypting (RFC 8291), in base64url.
  p256dh text not null check (length(p256dh) <= 100),
  auth text not null check (length(auth) <= 50),
  language text not null check (language in ('th', 'en')),
  created_at timestamptz not null default clock_timestamp(),
  seen_at timestamptz not null default clock_timestamp()
);
create index push_subscriptions_by_user on push_subscriptions (user_id, seen_at desc);
create index push_subscriptions_by_session on push_subscriptions (session_id);
grant select, insert (user_id, session_id, endpoint, p256dh, auth, language),
  update (user_id, session_id, p256dh, auth, language, seen_at), delete on push_subscriptions to megalot_app;

-- Queues a push to each subscription, in the transaction of its cause. The queue is the scheduler's, whose tables only
-- the owner writes. The key and the subscription name the job, so a repeat adds none while the first waits.
create function queue_pushes(subscription_ids bigint[], about jsonb, key text, run_at timestamptz) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  -- The scheduler makes its tables at the first start of a node. Before that there is nobody to send.
  if cardinality(subscription_ids) = 0 or to_regnamespace('graphile_worker') is null then
    return;
  end if;
  perform graphile_worker.add_jobs(array(
    select jsonb_populate_record(null::graphile_worker.job_spec, jsonb_build_object('identifier', 'send_push',
      'payload', about || jsonb_build_object('subscription_id', id), 'run_at', run_at, 'max_attempts', 7,
      'job_key', 'push:' || key || ':' || id))
    from unnest(subscription_ids) id));
end $$;
revoke all on function queue_pushes(bigint[], jsonb, text, timestamptz) from public;
grant execute on function queue_pushes(bigint[], jsonb, text, timestamptz) to megalot_app;
