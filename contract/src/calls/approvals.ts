export const proposeApproval = { name: 'proposeApproval', method: 'POST', path: '/api/admin/approval/propose' } as const
export const listApprovals = { name: 'listApprovals', method: 'GET', path: '/api/admin/approval' } as const
export const getApproval = { name: 'getApproval', method: 'GET', path: '/api/admin/approval/:approval_id' } as const
export const listWaitingDecisions = {
  name: 'listWaitingDecisions',
  method: 'GET',
  path: '/api/admin/approval/waiting',
} as const
export const countWaitingDecisions = {
  name: 'countWaitingDecisions',
  method: 'GET',
  path: '/api/admin/approval/waiting_count',
} as const
export const listDecidedDecisions = {
  name: 'listDecidedDecisions',
  method: 'GET',
  path: '/api/admin/approval/decided',
} as const
export const readRejections = {
  name: 'readRejections',
  method: 'POST',
  path: '/api/admin/approval/rejections_read',
} as const
export const approveProposal = {
  name: 'approveProposal',
  method: 'POST',
  path: '/api/admin/approval/:approval_id/approve',
} as const
export const rejectProposal = {
  name: 'rejectProposal',
  method: 'POST',
  path: '/api/admin/approval/:approval_id/reject',
} as const
export const withdrawProposal = {
  name: 'withdrawProposal',
  method: 'POST',
  path: '/api/admin/approval/:approval_id/withdraw',
} as const
