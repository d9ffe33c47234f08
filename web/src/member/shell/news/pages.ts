import { definePage } from '../../../lib/page/define-page.ts'

export const inboxPage = definePage({
  path: '/announcements',
  needs: 'member',
  messages: ['announcements', 'news'],
  prefetch: async () => [
    (await import('../../../shared/announcements/queries.ts')).announcementsQuery,
    (await import('../../../shared/announcements/notices/queries.ts')).noticesQuery,
  ],
  component: async () => (await import('./inbox.tsx')).InboxPage,
})
