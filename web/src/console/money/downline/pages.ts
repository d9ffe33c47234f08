import { definePage } from '../../../lib/page/define-page.ts'
import { readDownlineSearch } from './downline-search.ts'

export const downlinePage = definePage({
  path: '/downline',
  needs: 'reports.view',
  messages: ['downline', 'reports'],
  search: readDownlineSearch,
  component: async () => (await import('./downline-page.tsx')).DownlinePage,
})

export const printDownlinePage = definePage({
  path: '/downline',
  needs: 'reports.view',
  messages: ['downline', 'reports', 'print'],
  search: readDownlineSearch,
  component: async () => (await import('./print-downline-page.tsx')).PrintDownlinePage,
})
