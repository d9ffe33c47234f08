// Browsers to which a member has notifications pushed.

import type { PushSubscriptionBody } from '@megalot/contract'
import { sql } from 'kysely'
import type { Db, Tx } from '../../postgres/db.ts'

/** The most browsers of a member; a further one replaces the one seen longest ago. */
const MAX_PER_USER = 5

/**
 * Stores a browser with its current session and keys. A browser that another member used before is now this member's.
 * Without effect if the session has ended.
 */
export async function saveSubscription(
  db: Db,
  { user_id, session_id }: { user_id: number; session_id: number },
  { endpoint, keys: { p256dh, auth }, language }: PushSubscriptionBody,
): Promise<void> {
  // Locks the session against its end, which deletes the subscription.
  await sql`
    insert into push_subscriptions (user_id, session_id, endpoint, p256dh, auth, language)
    select user_id, session_id, ${endpoint}, ${p256dh}, ${auth}, ${language} from sessions
    where session_id = ${session_id} and ended_at is null for share
    on conflict (endpoint) do update set user_id = excluded.user_id, session_id = excluded.session_id,
      p256dh = excluded.p256dh, auth = excluded.auth, language = excluded.language, seen_at = clock_timestamp()`.execute(
    db,
  )
  await sql`
    delete from push_subscriptions where subscription_id in (
      select subscription_id from push_subscriptions where user_id = ${user_id}
      order by seen_at desc offset ${MAX_PER_USER})`.execute(db)
}

export async function removeSubscription(db: Db, user_id: number, endpoint: string): Promise<void> {
  await db.deleteFrom('push_subscriptions').where('user_id', '=', user_id).where('endpoint', '=', endpoint).execute()
}

export async function removeSubscriptionById(db: Db, subscription_id: number): Promise<void> {
  await db.deleteFrom('push_subscriptions').where('subscription_id', '=', subscription_id).execute()
}

/** At the session's log-out. */
export async function removeSubscriptionsOfSession(tx: Tx, session_id: number): Promise<void> {
  await tx.deleteFrom('push_subscriptions').where('session_id', '=', session_id).execute()
}

export async function removeSubscriptionsOfUsers(tx: Tx, user_ids: readonly number[]): Promise<void> {
  await tx.deleteFrom('push_subscriptions').where('user_id', 'in', user_ids).execute()
}

export async function removeEverySubscription(tx: Tx): Promise<void> {
  await tx.deleteFrom('push_subscriptions').execute()
}
