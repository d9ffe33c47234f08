export { type CachedQuotas, createQuotaCache, type QuotaCache } from './quota-cache.ts'
export { lockQuotasOf, readQuotas, saveQuotaUse } from './quota-reads.ts'
export type { BlockKey, BlockRecord } from './quota-blocks.ts'
export { createQuotaUse, type QuotaSnapshot, type QuotaUse } from './quota-snapshot.ts'
export { listLimitRules, setLimitRule, undoLimitRule } from './limit-rules.service.ts'
export { listQuotaExceptions, lockPeriodQuota, setPackageQuota, setPeriodQuota } from './quota-exceptions.service.ts'
export { serveQuotas } from './quotas.routes.ts'
export {
  listLimitNumbers,
  listNumbers,
  listQuotas,
  lockQuota,
  type NumberReport,
  setLimitNumber,
  setLimitNumbers,
  setQuota,
} from './quotas.service.ts'
