import { definePage } from '../../../lib/page/define-page.ts'

export const securityPage = definePage({
  path: '/account/security',
  needs: 'everyone',
  messages: ['factor'],
  component: async () => (await import('./factors-page.tsx')).FactorsPage,
})
