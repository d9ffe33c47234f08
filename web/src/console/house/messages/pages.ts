import { definePage } from '../../../lib/page/define-page.ts'

export const officeAnnouncementsPage = definePage({
  path: '/messages',
  needs: 'messages.do',
  messages: ['office'],
  component: async () => (await import('./office-announcements-page.tsx')).OfficeAnnouncementsPage,
})

export const officeMaintenancePage = definePage({
  path: '/maintenance',
  needs: 'maintenance.do',
  messages: ['office'],
  component: async () => (await import('../maintenance/office-maintenance-page.tsx')).OfficeMaintenancePage,
})
