import type { LimitRuleResult } from '@megalot/contract'
import {
  listLimitRules,
  listQuotaExceptions,
  listQuotas,
  listStandingNumbers,
  setLimitRule,
  setPackageQuota,
  setPeriodQuota,
  setQuota,
  undoLimitRule,
} from '@megalot/contract/browser'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { callRoute } from '../../../lib/api/http-client.ts'
import { queryKeys } from '../../../lib/api/query-keys.ts'
import type { Change } from '../../../lib/api/use-change.ts'
import { randomUuid } from '../../../lib/device/random-uuid.ts'
import type { RuleContent } from './rule-draft.ts'
import type { QuotaChange } from './quota-rows.ts'

/** A preview writes nothing, so that its reason is never read. */
const PREVIEW_REASON = 'preview'
/** As many as the server gives at once. */
const PART_SIZE = 50
/** A rule may have 20,000 rows. */
const TIMEOUT_MS = 60_000

/** Limit rules, newest first, undone ones too. */
export const limitRulesQuery = infiniteQueryOptions({
  queryKey: queryKeys.limitRules.part('rules'),
  queryFn: async ({ pageParam: before, signal }) =>
    (await callRoute(listLimitRules, { query: before === undefined ? {} : { before }, signal })).data,
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (part) => (part.length < PART_SIZE ? undefined : String(part.at(-1)!.rule_id)),
})

/** One rule, however old it is; null: there is none. */
export const limitRuleQuery = (rule_id: number) =>
  queryOptions({
    queryKey: queryKeys.limitRules.part('rule', rule_id),
    queryFn: async ({ signal }) => {
      const { data } = await callRoute(listLimitRules, { query: { before: String(rule_id + 1) }, signal })
      return data.find((rule) => rule.rule_id === rule_id) ?? null
    },
  })

/** Numbers set by standing rules, in all markets. */
export const standingNumbersQuery = queryOptions({
  queryKey: queryKeys.limitRules.part('standing'),
  queryFn: async ({ signal }) => (await callRoute(listStandingNumbers, { query: {}, signal })).data,
})

/** The effect of a rule; null without one. Keeps the last preview until the next arrives. */
export const rulePreviewQuery = (content: RuleContent | null) =>
  queryOptions({
    queryKey: queryKeys.limitRules.part('preview', content),
    enabled: content !== null,
    queryFn: async ({ signal }) => {
      const body = { ...content!, request_id: randomUuid(), preview: true, reason: PREVIEW_REASON }
      return (await callRoute(setLimitRule, { body, signal, timeoutMs: TIMEOUT_MS })).data
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  })

/** The effect of undoing a rule. */
export const undoPreviewQuery = (rule_id: number) =>
  queryOptions({
    queryKey: queryKeys.limitRules.part('undo', rule_id),
    queryFn: async ({ signal }) => {
      const params = { rule_id: String(rule_id) }
      const body = { request_id: randomUuid(), preview: true, reason: PREVIEW_REASON }
      return (await callRoute(undoLimitRule, { params, body, signal, timeoutMs: TIMEOUT_MS })).data
    },
    staleTime: 0,
    gcTime: 0,
  })

export const saveRule: Change<RuleContent & { request_id: string; reason: string }, LimitRuleResult> = {
  changes: 'limits_changed',
  send: async (body) => (await callRoute(setLimitRule, { body, timeoutMs: TIMEOUT_MS })).data,
}

export const undoRule: Change<{ rule_id: number; request_id: string; reason: string }> = {
  changes: 'limits_changed',
  send: ({ rule_id, ...body }) =>
    callRoute(undoLimitRule, { params: { rule_id: String(rule_id) }, body, timeoutMs: TIMEOUT_MS }),
}

/** The standing quotas of all markets. */
export const standingQuotasQuery = queryOptions({
  queryKey: queryKeys.limitRules.part('standing-quotas'),
  queryFn: async ({ signal }) => (await callRoute(listQuotas, { signal })).data,
})

/** The standing quotas of all markets, and the exceptions from them. A second person may have raised one meanwhile. */
export const quotasWithExceptionsQuery = queryOptions({
  queryKey: queryKeys.limitRules.part('quotas'),
  queryFn: async ({ signal }) => {
    const [standing, exceptions] = await Promise.all([
      callRoute(listQuotas, { signal }),
      callRoute(listQuotaExceptions, { query: {}, signal }),
    ])
    return { standing: standing.data, ...exceptions.data }
  },
  staleTime: 0,
})

/** Refused with `approval_needed` where one person may not allow as much. */
export const saveQuota: Change<QuotaChange & { reason: string }> = {
  changes: 'limits_changed',
  send: async ({ reason, ...change }) => {
    if (change.kind === 'set_quota') await callRoute(setQuota, { body: { ...change.payload, reason } })
    else if (change.kind === 'set_package_quota')
      await callRoute(setPackageQuota, { body: { ...change.payload, reason } })
    else await callRoute(setPeriodQuota, { body: { ...change.payload, reason } })
  },
}
