import { definePage } from '../../../lib/page/define-page.ts'
import { matching, searchOf } from '../../../lib/search/search-of.ts'
import { permissionsOfDay } from '@megalot/contract/browser'

export const calendarPage = definePage({
  path: '/calendar',
  needs: permissionsOfDay,
  messages: ['calendar', 'changes', 'lotto'],
  // A month; absent: the present one.
  search: searchOf({ month: matching(/^20\d\d-(0[1-9]|1[0-2])$/) }),
  component: async () => (await import('./calendar-page.tsx')).CalendarPage,
})
