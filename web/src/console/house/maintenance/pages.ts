import { definePage } from '../../../lib/page/define-page.ts'

export const officeMaintenancePage = definePage({
  path: '/maintenance',
  needs: 'maintenance.do',
  messages: ['maintenance'],
  component: async () => (await import('./office-maintenance-page.tsx')).OfficeMaintenancePage,
})
