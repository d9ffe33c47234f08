export type { ChainHead, ChainProblem } from './audit-chain.ts'
export {
  type ChainReport,
  checkAuditChain,
  listAuditOf,
  readAuditHead,
  verifyAuditChain,
} from './audit-reader.service.ts'
export { serveAudit } from './audit.routes.ts'
export { type AuditRecord, writeAudit, writeAudits } from './audit.service.ts'
