export const enterAward = { name: 'enterAward', method: 'POST', path: '/api/award' } as const
export const correctAward = { name: 'correctAward', method: 'POST', path: '/api/award/correct' } as const
export const previewAward = { name: 'previewAward', method: 'POST', path: '/api/award/preview' } as const
export const getAwardEntries = {
  name: 'getAwardEntries',
  method: 'GET',
  path: '/api/award/entries/:period_code',
} as const
export const resetAward = { name: 'resetAward', method: 'POST', path: '/api/award/reset' } as const
export const previewPeriodVoid = {
  name: 'previewPeriodVoid',
  method: 'GET',
  path: '/api/admin/period/:period_code/void_preview',
} as const
export const listPeriodVoids = { name: 'listPeriodVoids', method: 'GET', path: '/api/admin/period/voids' } as const
export const listProductAwards = { name: 'listProductAwards', method: 'GET', path: '/api/award' } as const
export const listLatestAwards = {
  name: 'listLatestAwards',
  method: 'GET',
  path: '/api/rewardcalc/award/latest',
} as const
export const getProductAwards = {
  name: 'getProductAwards',
  method: 'GET',
  path: '/api/rewardcalc/award/get_by_product/:product_code',
} as const
export const listAwardsFrom = {
  name: 'listAwardsFrom',
  method: 'GET',
  path: '/api/rewardcalc/award/list_award/:date_from',
} as const
export const listOwnWins = { name: 'listOwnWins', method: 'GET', path: '/api/rewardcalc/award/own_wins' } as const
export const getAwardStatistics = {
  name: 'getAwardStatistics',
  method: 'GET',
  path: '/api/rewardcalc/award/statistics/:product_code',
} as const
