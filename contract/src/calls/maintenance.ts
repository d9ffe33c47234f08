export const checkMaintenance = {
  name: 'checkMaintenance',
  method: 'GET',
  path: '/api/config/maintenance/check',
} as const
export const setMaintenance = { name: 'setMaintenance', method: 'POST', path: '/api/admin/config/maintenance' } as const
