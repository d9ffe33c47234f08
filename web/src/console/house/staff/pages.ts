import { definePage } from '../../../lib/page/define-page.ts'
import { readStaffSearch } from './staff-search.ts'

export const staffPage = definePage({
  path: '/staff',
  needs: 'staff.view',
  messages: ['staff'],
  search: readStaffSearch,
  component: async () => (await import('./staff-page.tsx')).StaffPage,
})
