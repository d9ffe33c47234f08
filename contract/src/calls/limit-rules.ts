export const setLimitRule = {
  name: 'setLimitRule',
  method: 'POST',
  path: '/api/admin/game_config/limit_rules',
} as const
export const undoLimitRule = {
  name: 'undoLimitRule',
  method: 'POST',
  path: '/api/admin/game_config/limit_rules/:rule_id/undo',
} as const
export const listLimitRules = {
  name: 'listLimitRules',
  method: 'GET',
  path: '/api/admin/game_config/limit_rules',
} as const
export const listStandingNumbers = {
  name: 'listStandingNumbers',
  method: 'GET',
  path: '/api/admin/game_config/standing_numbers',
} as const
