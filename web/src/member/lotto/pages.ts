import { definePage } from '../../lib/page/define-page.ts'

export const lottoPage = definePage({
  path: '/',
  needs: 'member',
  messages: ['lotto'],
  prefetch: async () => [(await import('../../shared/markets/queries.ts')).marketsQuery],
  component: async () => (await import('./lotto-page.tsx')).LottoPage,
})
