export { describeFinding } from './alarm-mail.ts'
export { sendDueAlarms } from './alarms.service.ts'
export {
  type Auditor,
  auditChanges,
  auditPiece,
  readAuditorReport,
  requestWholeAudit,
  runAuditor,
} from './auditor.service.ts'
export { findViolatedInvariants, invariantCodes, type InvariantCode, invariants } from './invariants.ts'
export { readAuditorMetrics } from './auditor-metrics.ts'
export { serveInvariants } from './invariants.routes.ts'
