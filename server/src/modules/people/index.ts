export { servePeople } from './people.routes.ts'
export { removeOldRequests } from './requests.service.ts'
