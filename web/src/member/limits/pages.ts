import { definePage } from '../../lib/page/define-page.ts'

export const limitsPage = definePage({
  path: '/account/limits',
  needs: 'member',
  messages: ['account'],
  prefetch: async () => [(await import('../../shared/account/queries.ts')).limitsQuery],
  component: async () => (await import('./limits-page.tsx')).LimitsPage,
})
