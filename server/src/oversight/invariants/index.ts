export { describeFinding } from './alarm-mail.ts'
export { sendDueAlerts } from './alarms.service.ts'
export {
  type IntegrityChecker,
  checkChanges,
  checkPiece,
  readIntegrityReport,
  requestFullCheck,
  runIntegrityCheck,
} from './auditor.service.ts'
export { findViolatedInvariants, invariantCodes, type InvariantCode, invariants } from './invariants.ts'
export { readIntegrityMetrics } from './auditor-metrics.ts'
export { serveInvariants } from './invariants.routes.ts'
