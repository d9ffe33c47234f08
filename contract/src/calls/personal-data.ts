export const exportOwnData = { name: 'exportOwnData', method: 'POST', path: '/mgluser/personal_data' } as const
export const exportPersonData = {
  name: 'exportPersonData',
  method: 'POST',
  path: '/api/admin/people/:user_id/personal_data',
} as const
