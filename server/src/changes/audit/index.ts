export type { ChainHead, ChainProblem } from './audit-chain.ts'
export {
  type ChainReport,
  checkAuditChain,
  listAuditOf,
  readAuditHead,
  verifyAuditChain,
} from './audit-reader.service.ts'
export { listEndings } from './decisions.store.ts'
export type { EndingAction, LoggedDecision, TimeCursor } from './endings.ts'
export { awardEntries, changedStatusWithin, creditLimitChanges } from './history-expressions.ts'
export { aboveLevel, isSeenBy } from './reader-expressions.ts'
export { serveAudit } from './audit.routes.ts'
export {
  type AuditActor,
  actorOf,
  addSalt,
  type AuditRecord,
  auditFailedLogIn,
  auditUnknownLogIns,
  deferAudits,
  writeDeferredAudits,
  writeAudit,
  writeAudits,
} from './audit.service.ts'
