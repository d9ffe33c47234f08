export { serveAccounts } from './accounts.routes.ts'
export {
  changeCreditLimit,
  createUser,
  findUserAndVerify,
  getCreditInfo,
  getUser,
  lockCreditLimit,
  refuseOverAllocation,
  toCreditInfo,
} from './accounts.service.ts'
export { addAgentCode, findAgentByCode, renewAgentCode } from './agent-codes.service.ts'
export { changeOwnStatus } from './downline.service.ts'
export { refuseWhenHashQueueFull, runInHashQueue } from './hash-queue.ts'
export { hashPassword } from './password.ts'
export { OFFICE_PASSWORD_LENGTH, type PasswordOwner, refuseWeakPassword } from './password-rule.ts'
export { changeShareTerms } from './share-terms.service.ts'
export {
  findUser,
  getAccessibleUser,
  getCompanyId,
  isOnePerson,
  lockHierarchy,
  lockUser,
  permissionsOf,
  type UserInHierarchy,
  type UserRecord,
  writePasswordHash,
} from './users.ts'
