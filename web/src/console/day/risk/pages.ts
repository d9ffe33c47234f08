import { definePage } from '../../../lib/page/define-page.ts'
import { readRiskSearch } from './risk-search.ts'

export const riskPage = definePage({
  path: '/risk',
  needs: 'risk.view',
  messages: ['risk'],
  search: readRiskSearch,
  component: async () => (await import('./risk-page.tsx')).RiskPage,
})
