export { serveAccounts } from './accounts.routes.ts'
export {
  changeCreditLimit,
  createUser,
  findUser,
  findUserAndVerify,
  getCreditInfo,
  getUser,
  lockUser,
  refuseOverAllocation,
  toCreditInfo,
  writePasswordHash,
} from './accounts.service.ts'
export { addAgentCode, findAgentByCode, renewAgentCode } from './agent-codes.service.ts'
export { changeOwnStatus, lockTree } from './downline.service.ts'
export { refuseWhenHashQueueFull, runInHashQueue } from './hash-queue.ts'
export { hashPassword } from './password.ts'
export { changeShareTerms } from './share-terms.service.ts'
