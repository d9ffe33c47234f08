import { definePage } from '../../lib/page/define-page.ts'

export const passwordPage = definePage({
  path: '/account/password',
  needs: 'everyone',
  messages: ['account'],
  component: async () => (await import('./password-page.tsx')).PasswordPage,
})

export const ownDataPage = definePage({
  path: '/account/data',
  needs: 'everyone',
  messages: ['account'],
  component: async () => (await import('./own-data-page.tsx')).OwnDataPage,
})
