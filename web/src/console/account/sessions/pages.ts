import { definePage } from '../../../lib/page/define-page.ts'
import { readSessionsSearch } from './sessions-search.ts'

export const sessionsPage = definePage({
  path: '/account/sessions',
  needs: 'everyone',
  messages: ['sessions'],
  search: readSessionsSearch,
  component: async () => (await import('./sessions-page.tsx')).SessionsPage,
})
