export const getCaptcha = { name: 'getCaptcha', method: 'GET', path: '/megalot/auth/captcha' } as const
export const getCaptchaProof = { name: 'getCaptchaProof', method: 'GET', path: '/megalot/auth/captcha_proof' } as const
export const logIn = { name: 'logIn', method: 'POST', path: '/megalot/auth/login' } as const
export const getSession = { name: 'getSession', method: 'GET', path: '/megalot/auth/session' } as const
export const logOff = { name: 'logOff', method: 'POST', path: '/megalot/auth/logoff' } as const
export const syncSession = { name: 'syncSession', method: 'GET', path: '/megalot/auth/session_sync' } as const
export const getBasicUser = { name: 'getBasicUser', method: 'GET', path: '/mgluser/user_data/basic' } as const
export const getCreditInfo = { name: 'getCreditInfo', method: 'GET', path: '/mgluser/user_data/credit_info' } as const
export const listSessions = { name: 'listSessions', method: 'GET', path: '/mgluser/sessions' } as const
export const listDownlineSessions = {
  name: 'listDownlineSessions',
  method: 'GET',
  path: '/mgluser/downline/sessions',
} as const
export const listStaffSessions = { name: 'listStaffSessions', method: 'GET', path: '/mgluser/staff/sessions' } as const
export const endDownlineSessions = {
  name: 'endDownlineSessions',
  method: 'POST',
  path: '/mgluser/downline/:user_id/sessions/end',
} as const
