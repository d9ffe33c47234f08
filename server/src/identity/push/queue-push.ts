// Queues pushes in the transaction of their cause, so that each cause is told once and none is lost with its node. A
// member without a subscription costs one look-up.

import { sql } from 'kysely'
import { plainArray, type Tx } from '../../postgres/db.ts'

/** Members mostly confirm a ticket on the page that placed it. One that still waits after this delay is told. */
const CONFIRM_DELAY = sql`interval '15 seconds'`

/** Tells the members of a settled period its result, or the correction that was settled. */
export async function queueResultPushes(tx: Tx, period_id: number, correction_id: number | undefined): Promise<void> {
  await sql`
    insert into pushes (subscription_id, kind, subject_id)
    select subscription_id, ${correction_id === undefined ? 'result' : 'correction'}, ${period_id}
    from push_subscriptions join member_periods own using (user_id)
    where own.period_id = ${period_id} and own.ticket_count > 0`.execute(tx)
}

/** Tells members that their tickets wait for confirmation. */
export async function queueConfirmPushes(
  tx: Tx,
  tickets: readonly { order_id: number; user_id: number }[],
): Promise<void> {
  if (tickets.length === 0) return
  await sql`
    insert into pushes (subscription_id, kind, subject_id, due_at)
    select subscription_id, 'confirm', order_id, clock_timestamp() + ${CONFIRM_DELAY}
    from unnest(${plainArray(tickets.map(({ order_id }) => order_id))}::bigint[],
      ${plainArray(tickets.map(({ user_id }) => user_id))}::bigint[]) ticket (order_id, user_id)
    join push_subscriptions using (user_id)`.execute(tx)
}
