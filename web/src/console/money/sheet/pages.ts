import { definePage } from '../../../lib/page/define-page.ts'
import { readSheetSearch } from './sheet-search.ts'

export const moneySheetPage = definePage({
  path: '/money',
  needs: 'money.view',
  messages: ['money', 'sheet'],
  search: readSheetSearch,
  component: async () => (await import('./sheet-page.tsx')).SheetPage,
})

export const homePage = definePage({
  path: '/home',
  needs: 'money.view',
  messages: ['money', 'home'],
  component: async () => (await import('./home-page.tsx')).HomePage,
})
