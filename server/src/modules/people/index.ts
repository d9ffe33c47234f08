export { givesCreditOf } from './new-person.service.ts'
export { servePeople } from './people.routes.ts'
export { removeOldRequests } from './requests.service.ts'
