import { definePage } from '../../lib/page/define-page.ts'

export const printIndexPage = definePage({
  path: '/',
  needs: 'everyone',
  messages: ['print'],
  component: async () => (await import('./print-index-page.tsx')).PrintIndexPage,
})
