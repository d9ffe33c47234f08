import { definePage } from '../../lib/page/define-page.ts'

export const emailPage = definePage({
  path: '/account/email',
  needs: 'member',
  messages: ['account'],
  component: async () => (await import('./email-page.tsx')).EmailPage,
})

export const ownSessionsPage = definePage({
  path: '/account/sessions',
  needs: 'member',
  messages: ['sessions', 'push'],
  component: async () => (await import('./own-sessions-page.tsx')).OwnSessionsPage,
})
