// Writing a batch, however it was decided: tickets, quotas and money together, and the commit behind them.

import type { Tx } from '../../../platform/db.ts'
import { findHeldAccountIds, postEntries } from '../../ledger/index.ts'
import { saveQuotaUse } from '../../quotas/index.ts'
import { presentBatch } from '../read/present-order.ts'
import type { BatchReply, PlacedTicket } from '../ticket.ts'
import type { BatchDecision } from './decide-batch.ts'
import { insertOrders } from './intake.store.ts'
import type { Snapshot } from './snapshot.ts'

/**
 * Writes the accepted tickets of a batch and commits. The statements are sent together, behind those that were sent before.
 * @param came_at when the tickets came in by the database's clock; undefined: at the instant at which they are written
 * @returns the tickets as they were written, once the commit is durable
 */
export async function writeBatch(
  tx: Tx,
  commit: () => Promise<void>,
  { period, quotas: quotaSnapshot }: Pick<Snapshot, 'period' | 'quotas'>,
  { accepted, quotas, members }: BatchDecision,
  came_at?: Date,
): Promise<PlacedTicket[]> {
  const waiting_ids = accepted.flatMap(({ status, ticket }) => (status === 'WAIT_CONFIRM' ? [ticket.user_id] : []))
  // Without a reply to wait for, the statements below leave at once.
  const held_ids = waiting_ids.length === 0 ? new Map<number, number>() : await findHeldAccountIds(tx, waiting_ids)
  const charged = accepted.filter(({ total }) => total.net_satang > 0)
  const entries = charged.map(({ order_id, ticket: { user_id }, status, total }) => {
    const isWaiting = status === 'WAIT_CONFIRM'
    return {
      kind: isWaiting ? ('bet_hold' as const) : ('bet' as const),
      order_id,
      idempotency_key: null,
      actor_id: user_id,
      from_account_id: members.get(user_id)!.cash_account_id,
      to_account_id: isWaiting ? held_ids.get(user_id)! : period.period_account_id,
      amount_satang: total.net_satang,
    }
  })
  // The rows that all batches of the period write come last: others wait for them until this one has committed.
  const [written] = await Promise.all([
    insertOrders(tx, period, accepted, came_at),
    saveQuotaUse(tx, period.period_code, quotas, quotaSnapshot),
    postEntries(tx, entries),
    commit(),
  ])
  const batch: BatchReply = {
    close_at: period.close_at,
    placed_at: written.placed_at,
    text: presentBatch(period, written),
  }
  return accepted.map((ticket) => ({ ...ticket, batch }))
}
