export type { ChainHead, ChainProblem } from './audit-chain.ts'
export {
  type ChainReport,
  checkAuditChain,
  listAuditOf,
  listLoggedDecisions,
  readAuditHead,
  verifyAuditChain,
} from './audit-reader.service.ts'
export type { DecisionsPart, EndingAction, LoggedDecision } from './endings.ts'
export { awardEntries, creditLimitChanges } from './history-expressions.ts'
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
