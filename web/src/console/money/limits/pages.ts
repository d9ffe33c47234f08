import { definePage } from '../../../lib/page/define-page.ts'
import { readLimitRulesSearch, readQuotasSearch, readStandingNumbersSearch } from './numbers-search.ts'

export const numbersPage = definePage({
  path: '/numbers',
  needs: 'risk.view',
  isOfOffice: true,
  messages: ['numbers'],
  component: async () => (await import('./numbers-page.tsx')).NumbersPage,
})

export const standingNumbersPage = definePage({
  path: '/numbers/standing',
  needs: 'risk.view',
  isOfOffice: true,
  messages: ['numbers'],
  search: readStandingNumbersSearch,
  component: async () => (await import('./standing-numbers-page.tsx')).StandingNumbersPage,
})

export const limitRulesPage = definePage({
  path: '/numbers/rules',
  needs: 'risk.view',
  isOfOffice: true,
  messages: ['numbers'],
  search: readLimitRulesSearch,
  component: async () => (await import('./rule-history-page.tsx')).RuleHistoryPage,
})

export const quotasPage = definePage({
  path: '/numbers/quotas',
  needs: 'risk.view',
  isOfOffice: true,
  messages: ['numbers'],
  search: readQuotasSearch,
  component: async () => (await import('./quotas-page.tsx')).QuotasPage,
})
