export { type AuditRecord, writeAudit, writeAudits } from './audit.service.ts'
