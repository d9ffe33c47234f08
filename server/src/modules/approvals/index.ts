export { serveApprovals } from './approvals.routes.ts'
export {
  approveProposal,
  endEveryProposal,
  getApproval,
  listApprovals,
  proposeApproval,
  rejectProposal,
  withdrawProposal,
} from './approvals.service.ts'
export { endBegun } from './end-begun.service.ts'
export { listWaitingDecisions } from './waiting.service.ts'
