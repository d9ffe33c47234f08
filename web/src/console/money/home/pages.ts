import { definePage } from '../../../lib/page/define-page.ts'

export const homePage = definePage({
  path: '/home',
  needs: 'money.view',
  messages: ['money', 'home'],
  component: async () => (await import('./home-page.tsx')).HomePage,
})
