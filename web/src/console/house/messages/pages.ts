import { definePage } from '../../../lib/page/define-page.ts'

export const officeAnnouncementsPage = definePage({
  path: '/messages',
  needs: 'messages.do',
  messages: ['messages'],
  component: async () => (await import('./office-announcements-page.tsx')).OfficeAnnouncementsPage,
})
