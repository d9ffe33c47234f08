// Two office users void a ticket after the close.

import { proposalPayloads } from '@megalot/contract'
import { defineChange } from '../../changes/index.ts'
import { Refusal } from '../../lib/refusal.ts'
import { findPeriod, lockPeriodShared } from '../../markets/index.ts'
import { findOrderOwner } from '../read/order-owner.ts'
import { listItems } from '../read/orders.store.ts'
import { applyChange, requirePending, requireStatus } from './apply-change.ts'
import { describeTicket } from './audit-removal.ts'
import { findLockedOrder, lockOrder } from './life.store.ts'

/**
 * Voids a ticket after the close, and refunds it.
 * @throws Refusal not_found, period_still_open, period_voided, period_settled, invalid_status
 */
export const voidOrder = defineChange({
  name: 'void_order',
  needs: 'tickets.do',
  input: proposalPayloads.void_order,
  async find(db, { order_id }) {
    const owner = await findOrderOwner(db, order_id)
    if (!owner) throw new Refusal('not_found')
    return owner
  },
  locks: ({ order_id }, { period_code }) => [
    { rank: 'periods', key: period_code, take: (tx) => lockPeriodShared(tx, period_code) },
    { rank: 'ticket', key: String(order_id), take: (tx) => lockOrder(tx, order_id) },
  ],
  load: async ({ tx }, { order_id }, { period_code }) => ({
    period: (await findPeriod(tx, period_code))!,
    order: await findLockedOrder(tx, order_id),
    items: await listItems(tx, order_id),
  }),
  decide(ticket) {
    const { period, order } = ticket
    if (period.status === 'open' || period.status === 'upcoming') throw new Refusal('period_still_open')
    requirePending(period)
    requireStatus(order, ['WAIT_CONFIRM', 'CONFIRMED'])
    return {
      plan: ticket,
      rows: [{ ...describeTicket(ticket), after: { status: 'DELETED' } }],
      needsTwo: {},
      proposal: {
        product_code: period.product_code,
        figures: { username: order.username },
        onlyOne: true,
        noTrial: true,
      },
    }
  },
  async write({ tx }, ticket, { caller: { actor_id }, reason }) {
    const released = ticket.items
    await applyChange(
      { tx, ...ticket },
      { event: 'delete', name: 'void', actor_id, ...(reason && { reason }), released },
    )
  },
})
