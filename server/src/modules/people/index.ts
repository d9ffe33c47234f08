export { replaceAgentCodes } from './agent-codes.service.ts'
export { givesCreditOf, refuseLevel } from './new-person.service.ts'
export { servePeople } from './people.routes.ts'
export { changeShare } from './share.service.ts'
