import { definePage } from '../../../lib/page/define-page.ts'
import { readAuditSearch } from './audit-search.ts'

export const auditPage = definePage({
  path: '/audit',
  needs: 'audit.view',
  messages: ['audit', 'staff'],
  search: readAuditSearch,
  component: async () => (await import('./audit-page.tsx')).AuditPage,
})
