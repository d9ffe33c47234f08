import { definePage } from '../../lib/page/define-page.ts'
import { readAwardSearch, readStatisticsSearch } from './award-search.ts'

export const awardsPage = definePage({
  path: '/awards',
  needs: 'everyone',
  messages: ['awards'],
  search: readAwardSearch,
  prefetch: async ({ search }) => [
    (await import('../markets/queries.ts')).marketsQuery,
    (await import('./queries.ts')).marketAwardsQuery(search.date),
  ],
  component: async () => (await import('./awards-page.tsx')).AwardsPage,
})

export const statisticsPage = definePage({
  path: '/awards/statistics',
  needs: 'everyone',
  messages: ['awards'],
  search: readStatisticsSearch,
  prefetch: async ({ search: { product_code, draws } }) => {
    const { statisticsQuery, usualMarket } = await import('./queries.ts')
    const { marketsQuery } = await import('../markets/queries.ts')
    const { queryClient } = await import('../../lib/api/query-client.ts')
    const shown = product_code ?? usualMarket(await queryClient.ensureQueryData(marketsQuery))?.product_code
    return shown === undefined ? [] : [statisticsQuery(shown, draws)]
  },
  component: async () => (await import('./statistics-page.tsx')).StatisticsPage,
})
