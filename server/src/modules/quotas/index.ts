export { type CachedQuotas, createQuotaCache, type QuotaCache } from './quota-cache.ts'
export { lockQuotasOf, readQuotas, saveQuotaUse } from './quota-reads.ts'
export { createQuotaUse, NO_LIMIT_SATANG, type BetOn, type QuotaSnapshot, type QuotaUse } from './quota-snapshot.ts'
export { listLimitNumbers, listQuotas, setLimitNumber, setQuota } from './quotas.service.ts'
