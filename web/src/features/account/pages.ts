import { definePage } from '../../lib/page/define-page.ts'

export const passwordPage = definePage({
  path: '/account/password',
  needs: 'everyone',
  messages: ['account'],
  component: async () => (await import('./password-page.tsx')).PasswordPage,
})

export const emailPage = definePage({
  path: '/account/email',
  needs: 'member',
  messages: ['account'],
  component: async () => (await import('./email-page.tsx')).EmailPage,
})

export const ownDataPage = definePage({
  path: '/account/data',
  needs: 'everyone',
  messages: ['account'],
  component: async () => (await import('./own-data-page.tsx')).OwnDataPage,
})

export const limitsPage = definePage({
  path: '/account/limits',
  needs: 'member',
  messages: ['account'],
  prefetch: async () => [(await import('./queries.ts')).limitsQuery],
  component: async () => (await import('./limits-page.tsx')).LimitsPage,
})
