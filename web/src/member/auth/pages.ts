import { definePage } from '../../lib/page/define-page.ts'
import { readBack } from '../../lib/page/addresses.ts'

/** The code that the links and QR codes of agents bring to the registration; a number in an address is one too. */
function readAgentCode({ code }: Record<string, unknown>): { code?: string } {
  const text = String(code)
  return code !== undefined && /^[A-Za-z0-9]{4,20}$/.test(text) ? { code: text } : {}
}

export const loginPage = definePage({
  path: '/auth/login',
  needs: 'visitor',
  messages: ['auth'],
  search: readBack,
  component: async () => (await import('./login-page.tsx')).LoginPage,
})

export const registerPage = definePage({
  path: '/auth/register',
  needs: 'visitor',
  messages: ['auth', 'credentials', 'account'],
  search: readAgentCode,
  component: async () => (await import('./register-page.tsx')).RegisterPage,
})

export const forgotPage = definePage({
  path: '/auth/forgot-password',
  needs: 'visitor',
  messages: ['credentials'],
  component: async () => (await import('./forgot-page.tsx')).ForgotPage,
})

export const resetPage = definePage({
  path: '/auth/reset-password',
  needs: 'visitor',
  messages: ['credentials', 'account'],
  component: async () => (await import('./reset-page.tsx')).ResetPage,
})

export const verifyEmailPage = definePage({
  path: '/auth/verify-email',
  needs: 'visitor',
  messages: ['credentials'],
  component: async () => (await import('./verify-email-page.tsx')).VerifyEmailPage,
})
