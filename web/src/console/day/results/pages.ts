import { definePage } from '../../../lib/page/define-page.ts'
import { matching, searchOf } from '../../../lib/search/search-of.ts'

export const awardEntryPage = definePage({
  path: '/results',
  needs: 'results.do',
  messages: ['results'],
  // The period whose result is entered; absent: one is chosen.
  search: searchOf({ period: matching(/^[a-z0-9-]{1,60}$/) }),
  component: async () => (await import('./award-entry-page.tsx')).AwardEntryPage,
})
