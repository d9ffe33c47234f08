import { definePage } from '../../lib/page/define-page.ts'
import { isBettor } from '../../lib/user/current-user.ts'
import { anyText, oneOf, searchOf } from '../../lib/search/search-of.ts'

const readBetSearch = searchOf({ view: oneOf('latest'), period: anyText })

export const betPage = definePage({
  path: '/bet/$product_code',
  needs: 'member',
  messages: ['bet', 'entry'],
  search: readBetSearch,
  prefetch: async ({ params: { product_code } }) => {
    if (isBettor()) await (await import('./market/prefetch-rates.ts')).prefetchRates(product_code)
    return [(await import('../../shared/markets/queries.ts')).marketsQuery]
  },
  component: async () => (await import('./bet-page.tsx')).BetPage,
})
