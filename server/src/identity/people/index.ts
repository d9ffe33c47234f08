export { servePeople } from './people.routes.ts'
export { changeShareTerms } from './share-changes.ts'
