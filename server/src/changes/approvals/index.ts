export { serveApprovals } from './approvals.routes.ts'
export { endEveryProposal, getApproval, listApprovals, proposeApproval } from './approvals.service.ts'
