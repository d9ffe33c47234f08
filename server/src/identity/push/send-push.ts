// Sends queued pushes. What a push says is read when it is sent.

import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '../../postgres/db.ts'
import type { PushMessage, SendPush } from '../../lib/web-push.ts'
import { pushWords } from './push-words.ts'
import { removeSubscriptionById } from './subscriptions.store.ts'

/** What the service worker shows: `web/service-worker`. */
interface Notification {
  /** A later notification with the same tag replaces this one. */
  tag: string
  title: string
  body: string
  language: 'th' | 'en'
  /** The page that a click opens. */
  path: string
}

export interface Sending {
  send: SendPush
  /** As of members' sessions: after it nothing is pushed until the next log-in. */
  sessionLifeMs: number
  /** Called for each push that is lost. */
  onError: (error: unknown) => void
  /** Whether the node is shutting down; the rest stays queued. */
  isStopping?: () => boolean
}

/** How many pushes a node sends at a time. */
const PUSHES_AT_ONCE = 32
/** How often a push is sent, at most, that the push service does not accept for now. */
const MAX_TRIES = 5
/** A result is still news to a phone that was off for a day. */
const RESULT_TTL_S = 86_400

/** Sends what is due. Any node may call it at any time. */
export async function sendDuePushes(
  db: Db,
  { send, sessionLifeMs, onError, isStopping = () => false }: Sending,
): Promise<void> {
  while (!isStopping()) {
    const due = await takeDue(db, sessionLifeMs)
    if (due.length === 0) return
    await Promise.all(due.map((push) => sendPush(db, send, push).catch(onError)))
  }
}

async function sendPush(db: Db, send: SendPush, push: DuePush): Promise<void> {
  const outcome = await send(push, toMessage(push))
  if (outcome === 'gone') await removeSubscriptionById(db, push.subscription_id)
  if (outcome === 'later' && push.tries + 1 < MAX_TRIES) await queueAgain(db, push)
}

interface DuePush {
  subscription_id: number
  kind: 'result' | 'correction' | 'confirm'
  /** A period, or for `confirm` a ticket. */
  subject_id: number
  tries: number
  endpoint: string
  p256dh: string
  auth: string
  language: 'th' | 'en'
  name_th: string
  name_en: string
  period_date: string
  has_won: boolean
  ttlSeconds: number
}

/**
 * Takes pushes from the queue, at most once: the node that takes one sends it or loses it. Leaves out those to a
 * suspended member, of a ticket that no longer waits, and those a day late. Removes subscriptions of ended sessions,
 * instead of sending. Joins markets and tickets, because each push would otherwise take four reads.
 */
async function takeDue(db: Db, sessionLifeMs: number): Promise<DuePush[]> {
  // A result is due hours after a member's last visit, so idleness alone ends no pushes.
  const isOfLiveSession = sql`((sessions.ended_at is null or sessions.end_reason = 'expired')
    and sessions.created_at > clock_timestamp() - ${sessionLifeMs} * interval '1 ms')`
  const { rows } = await sql<DuePush>`
    with taken as (
      delete from pushes where push_id in (
        select push_id from pushes where due_at <= clock_timestamp()
        order by due_at limit ${PUSHES_AT_ONCE} for update skip locked)
      returning *
    ), ended as (
      delete from push_subscriptions where subscription_id in (
        select s.subscription_id from push_subscriptions s join sessions using (session_id)
        where s.subscription_id in (select subscription_id from taken) and not ${isOfLiveSession}
        order by s.subscription_id for update of s skip locked)
    )
    select subscription_id, kind, subject_id, tries, endpoint, p256dh, auth, s.language, name_th, name_en, period_date,
      own.win_satang > 0 as has_won,
      case when kind = 'confirm' then extract(epoch from confirm_deadline_at - clock_timestamp())::int
        else ${RESULT_TTL_S} end as "ttlSeconds"
    from taken join push_subscriptions s using (subscription_id) join users using (user_id)
      join sessions on sessions.session_id = s.session_id
      left join orders on kind = 'confirm' and order_id = subject_id and orders.user_id = s.user_id
      join periods on periods.period_id = case when kind = 'confirm' then orders.period_id else subject_id end
      join products using (product_code)
      join member_periods own on own.user_id = s.user_id and own.period_id = periods.period_id and own.ticket_count > 0
    where ${isOfLiveSession} and status_in_force <> 'SUSPENDED' and due_at > clock_timestamp() - interval '1 day'
      and (kind <> 'confirm' or orders.status = 'WAIT_CONFIRM' and confirm_deadline_at > clock_timestamp())`.execute(db)
  return rows
}

async function queueAgain(db: Db, { subscription_id, kind, subject_id, tries }: DuePush): Promise<void> {
  // The subscription may have ended meanwhile.
  await sql`
    insert into pushes (subscription_id, kind, subject_id, tries, due_at)
    select subscription_id, ${kind}, ${subject_id}, ${tries + 1}, clock_timestamp() + ${tries + 1} * interval '1 minute'
    from push_subscriptions where subscription_id = ${subscription_id}`.execute(db)
}

function toMessage(push: DuePush): PushMessage {
  const { kind, subject_id, language, period_date, ttlSeconds } = push
  const { title, body } = pushWords[language][kind]
  const tag = `${kind === 'confirm' ? 'confirm' : 'result'}:${subject_id}`
  const paths = { confirm: `/bills/${subject_id}`, result: `/awards?date=${period_date}`, correction: '/announcements' }
  const notification: Notification = {
    tag,
    title: title(language === 'th' ? push.name_th : push.name_en),
    body: body(push.has_won),
    language,
    path: paths[kind],
  }
  return {
    topic: createHash('sha256').update(tag).digest('base64url').slice(0, 32),
    ttlSeconds,
    text: JSON.stringify(notification),
  }
}
