import { definePage } from '../../../lib/page/define-page.ts'
import { readHistorySearch } from './history-search.ts'

export const historyPage = definePage({
  path: '/money/history',
  needs: 'money.view',
  messages: ['money', 'sheet', 'history'],
  search: readHistorySearch,
  component: async () => (await import('./history-page.tsx')).HistoryPage,
})
