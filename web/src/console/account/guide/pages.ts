import { definePage } from '../../../lib/page/define-page.ts'

export const guidePage = definePage({
  path: '/guide',
  needs: 'everyone',
  messages: ['guide', 'manual', 'palette'],
  component: async () => (await import('./guide-page.tsx')).GuidePage,
})
