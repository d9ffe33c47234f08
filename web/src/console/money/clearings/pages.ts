import { definePage } from '../../../lib/page/define-page.ts'
import { readClearingsSearch } from './clearings-search.ts'

export const clearingsPage = definePage({
  path: '/money/clearings',
  needs: 'money.view',
  messages: ['money', 'clearings'],
  search: readClearingsSearch,
  component: async () => (await import('./clearings-page.tsx')).ClearingsPage,
})

export const clearingPage = definePage({
  path: '/money/clearings/$clearing_id',
  needs: 'money.view',
  messages: ['money', 'clearings'],
  component: async () => (await import('./clearing-page.tsx')).ClearingPage,
})

export const printClearingPage = definePage({
  path: '/clearings/$clearing_id',
  needs: 'money.view',
  messages: ['money', 'clearings', 'print'],
  component: async () => (await import('./print-clearing-page.tsx')).PrintClearingPage,
})
