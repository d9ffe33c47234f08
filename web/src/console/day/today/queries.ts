import { closePeriod, listDayPeriods, previewPeriodVoid } from '@megalot/contract/browser'
import { queryOptions } from '@tanstack/react-query'
import { callRoute } from '../../../lib/api/http-client.ts'
import { queryKeys } from '../../../lib/api/query-keys.ts'
import type { Change } from '../../../lib/api/use-change.ts'

/** The server counts at most once a second; news of results and markets refresh at once. */
const REFETCH_MS = 3_000

export const todayQuery = queryOptions({
  queryKey: queryKeys.markets.part('day', 'today'),
  queryFn: async ({ signal }) => (await callRoute(listDayPeriods, { query: {}, signal })).data,
  refetchInterval: REFETCH_MS,
})

export const voidPreviewQuery = (period_code: string) =>
  queryOptions({
    queryKey: queryKeys.markets.part('day', 'void', period_code),
    queryFn: async ({ signal }) => (await callRoute(previewPeriodVoid, { params: { period_code }, signal })).data,
    // It is shown when somebody decides by it.
    gcTime: 0,
  })

export const closeEarly: Change<{ period_code: string; reason: string }> = {
  changes: 'market_hours_passed',
  send: ({ period_code, reason }) => callRoute(closePeriod, { params: { period_code }, body: { reason } }),
}
