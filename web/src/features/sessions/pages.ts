import { definePage } from '../../lib/page/define-page.ts'

export const ownSessionsPage = definePage({
  path: '/account/sessions',
  needs: 'member',
  messages: ['sessions'],
  component: async () => (await import('./own-sessions-page.tsx')).OwnSessionsPage,
})
