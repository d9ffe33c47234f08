import { definePage } from '../../../lib/page/define-page.ts'

export const readinessPage = definePage({
  path: '/readiness',
  needs: 'staff.view',
  isOfOffice: true,
  messages: ['readiness', 'setup'],
  component: async () => (await import('./readiness-page.tsx')).ReadinessPage,
})
