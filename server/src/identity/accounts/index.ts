export { serveAccounts } from './accounts.routes.ts'
export {
  changeCreditLimit,
  createUser,
  creditRangeOf,
  type CreditState,
  fitsRange,
  findCreditToGive,
  findUserAndVerify,
  getCreditInfo,
  getUser,
  giveOpeningCredit,
  lockOfCash,
  showCredit,
  toCreditInfo,
} from './accounts.service.ts'
export { setBreachedPasswords } from './breached-passwords.ts'
export {
  addAgentCode,
  type AgentOfCode,
  countRegistration,
  findAgentByCode,
  makeAgentCode,
} from './agent-codes.service.ts'
export { changeUserStatus, countReach, isStatusSetAbove } from './downline.service.ts'
export { countWaitingHashes, type HashKind, runInHashQueue } from './hash-queue.ts'
export { hashForOther, hashPassword, normalizePassword } from './password.ts'
export { findPasswordWeakness, isEasyToGuess, refuseWeakPassword } from './password-rule.ts'
export { hashFirstHalf, hashSecondHalf, makePasswordHalf, type SplitPassword } from './split-password.ts'
export { addShareTerms, getShareTerms, lineRateOf, lockOfShares } from './share-terms.service.ts'
export { insertShareTerms, readShareTerms, takeShareLock } from './share-terms.store.ts'
export {
  findUser,
  findUserWithPassword,
  getAccessibleUser,
  getCompanyId,
  lockOfUser,
  lockUser,
  permissionsOf,
  permissionsOfLevel,
  type UserInHierarchy,
  type UserRecord,
  type UserWithPassword,
  writePasswordHash,
  writeSplitPassword,
} from './users.ts'
