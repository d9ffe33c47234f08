export { servePeople } from './people.routes.ts'
export { changeShare } from './share.service.ts'
