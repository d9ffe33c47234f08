export { type AuditEntry, type AuditRecord, listAuditOf, writeAudit, writeAudits } from './audit.service.ts'
