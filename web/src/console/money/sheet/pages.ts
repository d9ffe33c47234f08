import { definePage } from '../../../lib/page/define-page.ts'
import { readSheetSearch } from './sheet-search.ts'

export const moneySheetPage = definePage({
  path: '/money',
  needs: 'money.view',
  messages: ['money', 'sheet'],
  search: readSheetSearch,
  component: async () => (await import('./sheet-page.tsx')).SheetPage,
})
