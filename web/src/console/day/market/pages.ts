import { definePage } from '../../../lib/page/define-page.ts'

export const marketPage = definePage({
  path: '/markets/$product_code',
  needs: 'everyone',
  messages: ['bet', 'bills'],
  component: async () => (await import('./market-page.tsx')).MarketPage,
})
