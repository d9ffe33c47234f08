import { definePage } from '../../../lib/page/define-page.ts'
import { day, type SearchIn, searchOf } from '../../../lib/search/search-of.ts'

const readCashSearch = searchOf({ day })
export type CashSearch = SearchIn<typeof readCashSearch>

export const cashPage = definePage({
  path: '/money/cash',
  needs: 'money.view',
  messages: ['cash'],
  search: readCashSearch,
  component: async () => (await import('./cash-page.tsx')).CashPage,
})
