export const listProducts = { name: 'listProducts', method: 'GET', path: '/api/products' } as const
export const listEnabledProducts = { name: 'listEnabledProducts', method: 'GET', path: '/api/product/enabled' } as const
export const listAvailableProducts = {
  name: 'listAvailableProducts',
  method: 'GET',
  path: '/api/product/available',
} as const
export const listProductPeriod = {
  name: 'listProductPeriod',
  method: 'GET',
  path: '/api/lotto/listProductPeriod',
} as const
export const listPeriods = { name: 'listPeriods', method: 'GET', path: '/api/product/periods' } as const
export const getPeriod = {
  name: 'getPeriod',
  method: 'GET',
  path: '/api/product/:product_code/period/:period_code',
} as const
export const listPackages = {
  name: 'listPackages',
  method: 'GET',
  path: '/api/user/product/:product_code/template',
} as const
export const getGameConfig = {
  name: 'getGameConfig',
  method: 'GET',
  path: '/api/user/product/:product_code/template/:package_code/game_config',
} as const
export const listAllPackages = { name: 'listAllPackages', method: 'GET', path: '/api/admin/templates' } as const
export const listGameConfigs = { name: 'listGameConfigs', method: 'GET', path: '/api/admin/game_config/all' } as const
export const listTheoreticalReturns = {
  name: 'listTheoreticalReturns',
  method: 'GET',
  path: '/api/admin/product/:product_code/template/:package_code/theoretical_return',
} as const
export const changeGameConfig = {
  name: 'changeGameConfig',
  method: 'POST',
  path: '/api/admin/product/:product_code/template/:package_code/game_config',
} as const
export const changeCancelRules = {
  name: 'changeCancelRules',
  method: 'POST',
  path: '/api/admin/product/:product_code/cancel_rules',
} as const
export const switchProduct = {
  name: 'switchProduct',
  method: 'POST',
  path: '/api/admin/product/:product_code/enabled',
} as const
export const listUserPackages = {
  name: 'listUserPackages',
  method: 'GET',
  path: '/mgluser/downline/:user_id/packages',
} as const
export const givePackages = {
  name: 'givePackages',
  method: 'POST',
  path: '/mgluser/downline/:user_id/packages/give',
} as const
export const takePackages = {
  name: 'takePackages',
  method: 'POST',
  path: '/mgluser/downline/:user_id/packages/take',
} as const
export const closePeriod = {
  name: 'closePeriod',
  method: 'POST',
  path: '/api/admin/period/:period_code/close',
} as const
