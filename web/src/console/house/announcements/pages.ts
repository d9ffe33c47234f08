import { definePage } from '../../../lib/page/define-page.ts'

export const announcementsPage = definePage({
  path: '/announcements',
  needs: 'everyone',
  messages: ['announcements', 'news'],
  component: async () => (await import('../../../shared/announcements/announcements-page.tsx')).AnnouncementsPage,
})
