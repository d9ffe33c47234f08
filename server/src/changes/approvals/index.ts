export { serveApprovals } from './approvals.routes.ts'
export { approveProposal, getApproval, listApprovals, proposeApproval } from './approvals.service.ts'
export { endEveryProposal } from './proposals.ts'
