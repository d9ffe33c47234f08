export { serveApprovals } from './approvals.routes.ts'
export { endEveryProposal, getApproval, listApprovals, proposeApproval } from './approvals.service.ts'
export { endBegun } from './end-begun.service.ts'
