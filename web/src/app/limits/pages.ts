import { definePage } from '../../lib/page/define-page.ts'

export const limitsPage = definePage({
  path: '/account/limits',
  needs: 'member',
  messages: ['account'],
  prefetch: async () => [(await import('../../features/account/queries.ts')).limitsQuery],
  component: async () => (await import('../../features/account/limits-page.tsx')).LimitsPage,
})
