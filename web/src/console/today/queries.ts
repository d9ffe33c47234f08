import { closePeriod, listDayPeriods, previewPeriodVoid, proposeApproval, voidPeriod } from '@megalot/contract'
import type { Proposal } from '@megalot/contract'
import { queryOptions } from '@tanstack/react-query'
import { callRoute } from '../../lib/api/http-client.ts'
import { queryKeys } from '../../lib/api/query-keys.ts'
import { refreshAfter } from '../../lib/api/refresh.ts'
import { withRefresh } from '../../lib/api/with-refresh.ts'

/** The server counts at most once a second; news of results and markets refresh at once. */
const REFETCH_MS = 3_000

/** Below the markets' key, so that whatever refreshes markets refreshes the day, and the log-in page loads no key of it. */
const dayKey = (name: string, period_code = '') => [...queryKeys.markets.all, 'day', name, period_code]

export const todayQuery = queryOptions({
  queryKey: dayKey('today'),
  queryFn: async ({ signal }) => (await callRoute(listDayPeriods, { query: {}, signal })).data,
  refetchInterval: REFETCH_MS,
})

export const voidPreviewQuery = (period_code: string) =>
  queryOptions({
    queryKey: dayKey('void', period_code),
    queryFn: async ({ signal }) => (await callRoute(previewPeriodVoid, { params: { period_code }, signal })).data,
    // It is shown when somebody decides by it.
    gcTime: 0,
  })

export async function closeEarly(period_code: string, reason: string): Promise<void> {
  try {
    await callRoute(closePeriod, { params: { period_code }, body: { reason } })
  } finally {
    void refreshAfter('market_hours_passed')
  }
}

type TimesProposal = Extract<Proposal, { kind: 'create_period' | 'move_period' }>

/** A period beside the timetable, or other times for one that exists. */
export async function proposeTimes(body: TimesProposal): Promise<void> {
  try {
    await callRoute(proposeApproval, { body })
  } finally {
    void refreshAfter('approval_decided')
  }
}

/** Asks for the void of a period. @throws CallRefused where something has changed: what is on screen is read again by then */
export async function askForVoid(period_code: string, reason: string): Promise<void> {
  await withRefresh(['approval_decided'], () => callRoute(voidPeriod, { params: { period_code }, body: { reason } }))
}
