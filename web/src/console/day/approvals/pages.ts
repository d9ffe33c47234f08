import { definePage } from '../../../lib/page/define-page.ts'
import { permissionsOfApprovals } from '@megalot/contract/browser'
import { readApprovalsSearch } from './approvals-search.ts'

export const approvalsPage = definePage({
  path: '/approvals',
  needs: permissionsOfApprovals,
  isOfOffice: true,
  messages: ['approvals', 'audit', 'calendar', 'changes', 'staff', 'day', 'reports'],
  search: readApprovalsSearch,
  component: async () => (await import('./approvals-page.tsx')).ApprovalsPage,
})
