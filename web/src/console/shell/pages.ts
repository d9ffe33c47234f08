import { definePage } from '../../lib/page/define-page.ts'

export const membersPage = definePage({
  path: '/members',
  needs: 'everyone',
  messages: ['entrance'],
  component: async () => (await import('./console-notices.tsx')).MembersNotice,
})

export const refusedPage = definePage({
  path: '/refused',
  needs: 'everyone',
  messages: ['entrance'],
  component: async () => (await import('./console-notices.tsx')).RefusedNotice,
})

export const nowherePage = definePage({
  path: '$',
  needs: 'everyone',
  messages: ['entrance'],
  component: async () => (await import('./console-notices.tsx')).NotFoundNotice,
})
