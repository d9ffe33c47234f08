import type { Proposal } from '@megalot/contract'
import { closePeriod, listDayPeriods, previewPeriodVoid, proposeApproval } from '@megalot/contract/browser'
import { queryOptions } from '@tanstack/react-query'
import { callRoute } from '../../../lib/api/http-client.ts'
import { queryKeys } from '../../../lib/api/query-keys.ts'
import { withRefresh } from '../../../lib/api/with-refresh.ts'

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

export async function closeEarly(period_code: string, reason: string): Promise<void> {
  await withRefresh('market_hours_passed', () => callRoute(closePeriod, { params: { period_code }, body: { reason } }))
}

type TimesProposal = Extract<Proposal, { kind: 'create_period' | 'move_period' | 'postpone_period' }>

/** A period beside the timetable, or other times for one that exists. */
export async function proposeTimes(body: TimesProposal): Promise<void> {
  await withRefresh('approval_decided', () => callRoute(proposeApproval, { body }))
}

/** Proposes to void a period. @throws CallRefused where something has changed: what is on screen is read again by then */
export async function askForVoid(period_code: string, reason: string, request_id: string): Promise<void> {
  const body = { kind: 'void_period', payload: { period_code }, request_id, reason } as const
  await withRefresh('approval_decided', () => callRoute(proposeApproval, { body }))
}
