import { definePage } from '../../lib/page/define-page.ts'
import { readPeopleSearch, readProfileSearch } from './people-search.ts'

export const peoplePage = definePage({
  path: '/people',
  needs: 'people.view',
  messages: ['people', 'money'],
  search: readPeopleSearch,
  component: async () => (await import('./people-page.tsx')).PeoplePage,
})

export const newPersonPage = definePage({
  path: '/people/new',
  needs: 'people.do',
  messages: ['people'],
  component: async () => (await import('./new-person-page.tsx')).NewPersonPage,
})

export const agentCodesPage = definePage({
  path: '/people/codes',
  needs: 'people.view',
  messages: ['people'],
  component: async () => (await import('./codes-page.tsx')).CodesPage,
})

export const personPage = definePage({
  path: '/people/$user_id',
  needs: 'people.view',
  messages: ['people', 'audit', 'changes', 'staff', 'sheet'],
  search: readProfileSearch,
  component: async () => (await import('./profile-page.tsx')).ProfilePage,
})
