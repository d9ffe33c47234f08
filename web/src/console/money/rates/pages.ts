import { definePage } from '../../../lib/page/define-page.ts'
import { matching, searchOf } from '../../../lib/search/search-of.ts'

export const termsPage = definePage({
  path: '/terms',
  needs: 'terms.view',
  isOfOffice: true,
  messages: ['terms', 'audit', 'staff'],
  // A market and a package with a slash between.
  search: searchOf({ package: matching(/^[\w-]{1,40}\/[\w-]{1,40}$/) }),
  component: async () => (await import('./terms-page.tsx')).TermsPage,
})
