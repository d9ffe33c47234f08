// The payout of a result, and the entries of the two people so far.

import type { Period } from '@megalot/contract'
import { getAwardEntries, listDayPeriods, previewAward, resetAward } from '@megalot/contract/browser'
import { queryOptions } from '@tanstack/react-query'
import { callRoute } from '../../../lib/api/http-client.ts'
import { queryKeys } from '../../../lib/api/query-keys.ts'
import type { Change } from '../../../lib/api/use-change.ts'
import { listDueResults } from './due-results.ts'
import type { TypedResult } from './result-fields.ts'

export const awardPreviewQuery = (period_code: string, result: TypedResult) =>
  queryOptions({
    queryKey: queryKeys.awards.part('preview', period_code, result),
    queryFn: async ({ signal }) => (await callRoute(previewAward, { body: { period_code, result }, signal })).data,
    retry: false,
  })

export const awardEntriesQuery = (period_code: string) =>
  queryOptions({
    queryKey: queryKeys.awards.part('entries', period_code),
    queryFn: async ({ signal }) => (await callRoute(getAwardEntries, { params: { period_code }, signal })).data,
    // Payment takes a moment: the page follows it also where news of it are lost.
    refetchInterval: ({ state: { data } }) => (data?.state === 'agreed' && data.paid_result === null ? 1_000 : 10_000),
  })

/** The first period that is drawn and awaits its result; null where there is none. */
export const firstAwaitedQuery = queryOptions({
  queryKey: queryKeys.awards.part('first-awaited'),
  queryFn: async ({ signal }): Promise<Period | null> => {
    const { now, periods } = (await callRoute(listDayPeriods, { query: {}, signal })).data
    return listDueResults(periods, Date.parse(now))[0] ?? null
  },
})

/** Removes two entries that differ, or the caller's own entry. */
export const removeEntries: Change<{ period_code: string; reason: string }> = {
  changes: 'award_entered',
  send: (body) => callRoute(resetAward, { body }),
}
