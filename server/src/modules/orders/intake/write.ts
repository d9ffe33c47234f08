// Writes a batch, from whichever attempt: tickets, quotas, money and the commit together.

import type { Tx } from '../../../platform/db.ts'
import { findHeldAccountIds, postEntries } from '../../ledger/index.ts'
import { saveQuotaUse } from '../../quotas/index.ts'
import { presentBatch } from '../read/present-order.ts'
import type { BatchReply, PlacedTicket } from '../ticket.ts'
import type { BatchDecision } from './decide-batch.ts'
import { insertOrders } from './intake.store.ts'
import type { Snapshot } from './snapshot.ts'

/**
 * Writes the accepted tickets of a batch and commits. The statements are sent together, behind those that were sent
 * before.
 * @param created_at the instant at which the snapshot was read, by the database's clock; undefined: the instant of the
 * write
 * @returns the written tickets, once the commit is durable
 */
export async function writeBatch(
  tx: Tx,
  commit: () => Promise<void>,
  { period, quotas: quotaSnapshot }: Pick<Snapshot, 'period' | 'quotas'>,
  { accepted, quotaUse, members }: BatchDecision,
  created_at?: Date,
): Promise<PlacedTicket[]> {
  const waiting_ids = accepted.flatMap(({ status, ticket }) => (status === 'WAIT_CONFIRM' ? [ticket.user_id] : []))
  // There is no reply to wait for here: the statements below are sent at once.
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
  // The rows that all batches of the period update come last, because others wait for them until this batch has
  // committed.
  const [written] = await Promise.all([
    insertOrders(tx, period, accepted, created_at),
    saveQuotaUse(tx, period.period_code, quotaUse, quotaSnapshot),
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
