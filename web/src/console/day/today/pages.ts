import { definePage } from '../../../lib/page/define-page.ts'
import { permissionsOfDay } from '@megalot/contract/browser'
import { readTodaySearch } from './today-search.ts'

export const todayPage = definePage({
  path: '/today',
  needs: permissionsOfDay,
  messages: ['day', 'results'],
  search: readTodaySearch,
  component: async () => (await import('./today-page.tsx')).TodayPage,
})
