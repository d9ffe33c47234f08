export { serveSetup } from './setup.routes.ts'
export { createFirstOwner } from './first-owner.service.ts'
export { inviteOwner } from './invite-owner.ts'
export { describeSetupLink, makeSetupLink, prepareHouse } from './house.service.ts'
