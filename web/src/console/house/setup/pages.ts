import { definePage } from '../../../lib/page/define-page.ts'

export const setupPage = definePage({
  path: '/setup',
  needs: 'visitor',
  messages: ['setup', 'credentials', 'account', 'factor'],
  component: async () => (await import('./setup-page.tsx')).SetupPage,
})

export const openMarketsPage = definePage({
  path: '/numbers/open',
  needs: 'risk.view',
  isOfOffice: true,
  messages: ['setup'],
  component: async () => (await import('./open-markets-page.tsx')).OpenMarketsPage,
})
