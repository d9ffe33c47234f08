import * as contract from '@megalot/contract'
import type { Caller } from '../../http/caller.ts'
import type { Db } from '../../postgres/db.ts'
import { readPage } from '../../http/page.ts'
import type { Serve } from '../../http/serve.ts'
import { serveChange } from '../serve-change.ts'
import { findOrderOwner, type OrderOwner } from '../../betting/index.ts'
import { approveProposal, getApproval, listApprovals, proposeApproval } from './approvals.service.ts'
import { listDecidedDecisions, readRejections } from './decided.service.ts'
import { rejectProposal, withdrawProposal } from './proposals.ts'
import { countWaitingDecisions, listWaitingDecisions } from './waiting.service.ts'

interface ApprovalParts {
  db: Db
  /** Called when the stakes of a voided period are to be refunded. */
  onVoided: () => void
  /** Called for each ticket that was voided. */
  publishTicket: (owner: OrderOwner) => void
}

export function serveApprovals(serve: Serve, { db, onVoided, publishTicket }: ApprovalParts): void {
  const wakeAfter = ({ kind, payload }: contract.Approval): void => {
    if (kind === 'void_period') onVoided()
    // The void is committed; a failed notification is no reason to report a failure.
    if (kind === 'void_order')
      findOrderOwner(db, Number(payload['order_id'])).then(
        (owner) => owner && publishTicket(owner),
        () => {},
      )
  }
  serve(contract.proposeApproval, ({ caller, body }) => proposeApproval(db, caller, body))
  serve(contract.listApprovals, async ({ caller, query }) => {
    const { limit, offset } = readPage(query)
    const { approvals, total_count } = await listApprovals(db, caller, query, limit, offset)
    return { data: approvals, top_level: { total_count } }
  })
  serve(contract.listWaitingDecisions, ({ caller, query }) => listWaitingDecisions(db, caller, query))
  serve(contract.listDecidedDecisions, ({ caller, query: { before, ipp, own_rejected } }) => {
    const { limit } = readPage({ ipp })
    return listDecidedDecisions(db, caller, { before, limit, isOwnRejected: own_rejected === 'true' })
  })
  serve(contract.readRejections, async ({ caller, body }) => {
    await readRejections(db, caller, body.up_to)
    return {}
  })
  serve(contract.countWaitingDecisions, ({ caller }) => countWaitingDecisions(db, caller))
  serve(contract.getApproval, ({ caller, params }) => getApproval(db, caller, Number(params.approval_id)))
  serve(contract.approveProposal, async ({ caller, params, body }) => {
    const approved = await approveProposal(db, caller, Number(params.approval_id), body.reason)
    wakeAfter(approved)
    return approved
  })
  const toReply = (approval_id: number, caller: Caller) => getApproval(db, caller, approval_id)
  serveChange({ serve, db }, contract.rejectProposal, rejectProposal, ofProposal, toReply)
  serveChange({ serve, db }, contract.withdrawProposal, withdrawProposal, ofProposal, toReply)
}

const ofProposal = ({ params, body }: { params: { approval_id: string }; body: { reason: string } }) => ({
  input: { approval_id: Number(params.approval_id) },
  reason: body.reason,
})
