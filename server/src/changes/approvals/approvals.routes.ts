import * as contract from '@megalot/contract'
import type { Caller } from '../../http/caller.ts'
import type { Db } from '../../postgres/db.ts'
import { readPage } from '../../http/page.ts'
import type { Serve } from '../../http/serve.ts'
import { serveChange } from '../serve-change.ts'
import { approveProposal, getApproval, listApprovals, proposeApproval } from './approvals.service.ts'
import { listDecidedDecisions, readRejections } from './decided.service.ts'
import { rejectProposal, withdrawProposal } from './proposals.ts'
import { countWaitingDecisions, listWaitingDecisions } from './waiting.service.ts'

export function serveApprovals(serve: Serve, db: Db): void {
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
  serve(contract.approveProposal, ({ caller, params, body }) =>
    approveProposal(db, caller, Number(params.approval_id), body.reason),
  )
  const toReply = (approval_id: number, caller: Caller) => getApproval(db, caller, approval_id)
  serveChange({ serve, db }, contract.rejectProposal, rejectProposal, ofProposal, toReply)
  serveChange({ serve, db }, contract.withdrawProposal, withdrawProposal, ofProposal, toReply)
}

const ofProposal = ({ params, body }: { params: { approval_id: string }; body: { reason: string } }) => ({
  input: { approval_id: Number(params.approval_id) },
  reason: body.reason,
})
