import { definePage } from '../../../lib/page/define-page.ts'
import { readGridSearch } from '../../lists/grid-search.ts'

export const periodsPage = definePage({
  path: '/periods',
  needs: 'everyone',
  messages: ['periods'],
  search: readGridSearch,
  component: async () => (await import('./periods-page.tsx')).PeriodsPage,
})
