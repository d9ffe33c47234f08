import { definePage } from '../../../lib/page/define-page.ts'
import { readGridSearch } from '../../lists/grid-search.ts'

export const periodsPage = definePage({
  path: '/',
  needs: 'everyone',
  messages: ['periods'],
  search: readGridSearch,
  component: async () => (await import('./periods-page.tsx')).PeriodsPage,
})
