export { type CachedQuotas, createQuotaCache, type QuotaCache } from './quota-cache.ts'
export { lockQuotasOf, readQuotas, saveQuotaUse } from './quota-reads.ts'
export type { BlockKey } from './quota-blocks.ts'
export type { BlockRecord } from './quotas.store.ts'
export { createQuotaUse, type QuotaSnapshot, type QuotaUse } from './quota-snapshot.ts'
export { serveQuotas } from './quotas.routes.ts'
export {
  listLimitNumbers,
  listNumbers,
  listQuotas,
  type NumberReport,
  setLimitNumber,
  setLimitNumbers,
  setQuota,
} from './quotas.service.ts'
