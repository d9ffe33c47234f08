import { definePage } from '../../lib/page/define-page.ts'

export const ownMoneyPage = definePage({
  path: '/balance',
  needs: 'member',
  messages: ['balance'],
  prefetch: async () => [(await import('./queries.ts')).ownMoneyQuery],
  component: async () => (await import('./own-money-page.tsx')).OwnMoneyPage,
})
