// Queues pushes in the transaction of their cause, so that each cause is told once and none is lost with its node. A
// member without a subscription costs one look-up.

import { sql } from 'kysely'
import { plainArray, type Tx } from '../../postgres/db.ts'

/** What a push tells. It names its subject by id, because the queue keeps nothing personal. */
export type PushCause =
  | { kind: 'result'; period_id: number }
  | { kind: 'correction'; period_id: number }
  | { kind: 'confirm'; order_id: number }

/** Tickets are mostly confirmed on the page that placed them. Only a later one is told, after this delay. */
const CONFIRM_AT = sql`clock_timestamp() + interval '15 seconds'`

/** Tells the members of a settled period its result, or the correction that was settled. */
export async function queueResultPushes(tx: Tx, period_id: number, correction_id: number | undefined): Promise<void> {
  const cause: PushCause = { kind: correction_id === undefined ? 'result' : 'correction', period_id }
  await sql`
    select queue_pushes(array(
        select subscription_id from push_subscriptions join member_periods own using (user_id)
        where own.period_id = ${period_id} and own.ticket_count > 0),
      ${JSON.stringify(cause)}, ${`result:${period_id}:${correction_id ?? 0}`}, clock_timestamp())`.execute(tx)
}

/** Tells members that their tickets wait for confirmation. */
export async function queueConfirmPushes(
  tx: Tx,
  tickets: readonly { order_id: number; user_id: number }[],
): Promise<void> {
  if (tickets.length === 0) return
  await sql`
    select queue_pushes(array(select subscription_id from push_subscriptions s where s.user_id = ticket.user_id),
      jsonb_build_object('kind', 'confirm', 'order_id', order_id), 'confirm:' || order_id, ${CONFIRM_AT})
    from unnest(${plainArray(tickets.map(({ order_id }) => order_id))}::bigint[],
      ${plainArray(tickets.map(({ user_id }) => user_id))}::bigint[]) ticket (order_id, user_id)`.execute(tx)
}
