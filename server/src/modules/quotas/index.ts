export { type CachedQuotas, createQuotaCache, type QuotaCache } from './quota-cache.ts'
export { lockQuotasOf, readQuotas, saveQuotaUse } from './quota-reads.ts'
export type { BlockKey, BlockRecord } from './quota-blocks.ts'
export { blockChangeArrays } from './quota-change-arrays.ts'
export { createQuotaUse, type QuotaSnapshot, type QuotaUse } from './quota-snapshot.ts'
export {
  listLimitRules,
  previewLimitRule,
  previewLimitRuleUndo,
  setLimitRule,
  undoLimitRule,
} from './limit-rules.service.ts'
export { listQuotaExceptions } from './quota-exceptions.service.ts'
export { setPackageQuota, setPeriodQuota, setQuota } from './quota-changes.ts'
export { serveQuotas } from './quotas.routes.ts'
export {
  listLimitNumbers,
  listNumbers,
  type NumberReport,
  setLimitNumber,
  setLimitNumbers,
} from './limit-numbers.service.ts'
export { listMarketQuotas } from './market-quotas.store.ts'
