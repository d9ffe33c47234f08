// What the ledger of one ticket lacks. Whoever wrote it alone could move money of any ticket; the amounts follow from the ticket.

import { proposalPayloads } from '@megalot/contract'
import { planRepair, repairTicket } from '../../../betting/index.ts'
import { type Kind, tryOut } from './kind.ts'

export const repairTicketKind: Kind<'repair_ticket'> = {
  payload: proposalPayloads.repair_ticket,
  permission: 'tickets.do',
  validate: (tx, payload, proposer, reason) =>
    tryOut(tx, () => repairTicketKind.execute(tx, payload, proposer, reason)),
  async describe(tx, { order_id }) {
    const { username, product_code, moved, due, missing } = await planRepair(tx, order_id)
    return {
      subject: `order:${order_id}`,
      product_code,
      // What is due is part of both: where it has changed since, other entries are missing.
      before: { ...moved, due },
      after: { ...due, due },
      figures: { username, entries: missing },
    }
  },
  async execute(tx, { order_id }, { actor_id }, reason) {
    await repairTicket(tx, actor_id, order_id, reason)
  },
}
