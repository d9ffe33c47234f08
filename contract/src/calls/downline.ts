export const listDownline = { name: 'listDownline', method: 'GET', path: '/mgluser/downline' } as const
export const changeCreditLimit = {
  name: 'changeCreditLimit',
  method: 'POST',
  path: '/mgluser/downline/:user_id/credit_limit',
} as const
export const getShareTerms = { name: 'getShareTerms', method: 'GET', path: '/mgluser/downline/:user_id/share' } as const
export const changeShareTerms = {
  name: 'changeShareTerms',
  method: 'POST',
  path: '/mgluser/downline/:user_id/share',
} as const
export const changeUserStatus = {
  name: 'changeUserStatus',
  method: 'POST',
  path: '/mgluser/downline/:user_id/status',
} as const
