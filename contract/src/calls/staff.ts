export const listStaff = { name: 'listStaff', method: 'GET', path: '/mgluser/staff' } as const
export const createAssistant = { name: 'createAssistant', method: 'POST', path: '/mgluser/staff/assistant' } as const
export const createOfficeUser = { name: 'createOfficeUser', method: 'POST', path: '/mgluser/staff/office' } as const
export const changeAssistantAreas = {
  name: 'changeAssistantAreas',
  method: 'POST',
  path: '/mgluser/staff/:user_id/areas',
} as const
export const changeOfficeRole = {
  name: 'changeOfficeRole',
  method: 'POST',
  path: '/mgluser/staff/:user_id/role',
} as const
export const changeStaffStatus = {
  name: 'changeStaffStatus',
  method: 'POST',
  path: '/mgluser/staff/:user_id/status',
} as const
export const resetAssistantPassword = {
  name: 'resetAssistantPassword',
  method: 'POST',
  path: '/mgluser/staff/:user_id/password',
} as const
export const endStaffSessions = {
  name: 'endStaffSessions',
  method: 'POST',
  path: '/mgluser/staff/:user_id/sessions/end',
} as const
