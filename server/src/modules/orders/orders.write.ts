// The writing of a batch, however it was decided: tickets, quotas and money together, and the commit behind them.

import type { Order } from '@megalot/contract'
import type { Tx } from '../../platform/db.ts'
import { findHeldAccountIds, postEntries } from '../ledger/ledger.service.ts'
import { type PeriodRecord, toPeriod } from '../markets/markets.service.ts'
import type { KnownQuotas } from '../quotas/quota-counts.service.ts'
import type { MemberState } from './orders.decide.ts'
import { type BettingPeriod, insertOrders, type NumberedTicket, type WrittenAt } from './batch.store.ts'

/** The ticket's number. */
export interface Placed {
  order_id: number
  /** The ticket itself where it was written now; absent where it had stood already. */
  fresh?: PlacedNow
}

/** A ticket that has just been written. */
export interface PlacedNow extends NumberedTicket {
  batch: PlacedBatch
}

/** What the tickets of a batch have in common. */
export interface PlacedBatch {
  close_at: Date
  placed_at: Date
  /** What their replies say alike, as JSON text without its braces. */
  text: string
}

export interface Decided {
  period: BettingPeriod
  members: ReadonlyMap<number, MemberState>
  quotas: KnownQuotas
  accepted: readonly NumberedTicket[]
  /** When they came in by the database's clock; undefined: in the moment in which they are written. */
  came_at?: Date
}

/**
 * Writes accepted tickets and commits. The statements go out together, behind those that were asked for before.
 * @returns what the tickets have in common, once the commit is durable
 */
export async function writeBatch(tx: Tx, commit: () => Promise<void>, decided: Decided): Promise<PlacedBatch> {
  const { period, members, quotas, accepted, came_at } = decided
  const waiting_ids = accepted.flatMap(({ status, ticket }) => (status === 'WAIT_CONFIRM' ? [ticket.user_id] : []))
  // Without an answer to wait for, they leave at once.
  const held_ids = waiting_ids.length === 0 ? new Map<number, number>() : await findHeldAccountIds(tx, waiting_ids)
  const charged = accepted.filter(({ total }) => total.net_satang > 0)
  const entries = charged.map(({ order_id, ticket: { user_id }, status, total }) => {
    const isWaiting = status === 'WAIT_CONFIRM'
    return {
      kind: isWaiting ? ('bet_hold' as const) : ('bet' as const),
      order_id,
      once_key: null,
      actor_id: user_id,
      from_account_id: members.get(user_id)!.cash_account_id,
      to_account_id: isWaiting ? held_ids.get(user_id)! : period.period_account_id,
      amount_satang: total.net_satang,
    }
  })
  // The rows that all batches of the period write come last: others wait for them until we have committed.
  const [written] = await Promise.all([
    insertOrders(tx, period, accepted, came_at),
    quotas.save(tx),
    postEntries(tx, entries),
    commit(),
  ])
  return { close_at: period.close_at, placed_at: written.placed_at, text: textOfBatch(period, written) }
}

function textOfBatch(period: PeriodRecord, { came_at, placed_at }: WrittenAt): string {
  const at = placed_at.toISOString()
  const alike: Pick<Order, 'period_code' | 'created_at' | 'cancelled_by' | 'period' | 'steps' | 'events'> = {
    period_code: period.period_code,
    created_at: came_at.toISOString(),
    cancelled_by: null,
    period: toPeriod(period),
    steps: [
      { step: 'check_ticket', at },
      { step: 'check_quota', at },
      { step: 'create_ticket', at },
    ],
    events: [],
  }
  return JSON.stringify(alike).slice(1, -1)
}
