export const listLimitNumbers = {
  name: 'listLimitNumbers',
  method: 'GET',
  path: '/api/game_config/limit_number/:period_code',
} as const
export const setLimitNumber = {
  name: 'setLimitNumber',
  method: 'POST',
  path: '/api/admin/game_config/limit_number/:period_code',
} as const
export const setQuota = { name: 'setQuota', method: 'POST', path: '/api/admin/game_config/quota' } as const
export const openMarkets = { name: 'openMarkets', method: 'POST', path: '/api/admin/product/open' } as const
export const listQuotas = { name: 'listQuotas', method: 'GET', path: '/api/admin/game_config/quota' } as const
export const listQuotaExceptions = {
  name: 'listQuotaExceptions',
  method: 'GET',
  path: '/api/admin/game_config/quota/exceptions',
} as const
export const setPeriodQuota = {
  name: 'setPeriodQuota',
  method: 'POST',
  path: '/api/admin/game_config/quota/period',
} as const
export const setPackageQuota = {
  name: 'setPackageQuota',
  method: 'POST',
  path: '/api/admin/game_config/quota/package',
} as const
