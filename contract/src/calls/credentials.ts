export const register = { name: 'register', method: 'POST', path: '/megalot/auth' } as const
export const forgotPassword = { name: 'forgotPassword', method: 'POST', path: '/megalot/auth/forgot-password' } as const
export const resetPassword = { name: 'resetPassword', method: 'POST', path: '/megalot/auth/reset-password' } as const
export const verifyEmail = { name: 'verifyEmail', method: 'POST', path: '/megalot/auth/verify-email' } as const
export const changePassword = { name: 'changePassword', method: 'POST', path: '/mgluser/change_password' } as const
export const getEmail = { name: 'getEmail', method: 'GET', path: '/mgluser/email' } as const
export const changeEmail = { name: 'changeEmail', method: 'POST', path: '/mgluser/email' } as const
export const listPasswordRequests = {
  name: 'listPasswordRequests',
  method: 'GET',
  path: '/mgluser/password_requests',
} as const
