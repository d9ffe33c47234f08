// What a result would pay, and what two people have entered so far.

import { getAwardEntries, getPeriod, listDayPeriods, previewAward, resetAward } from '@megalot/contract'
import { queryOptions } from '@tanstack/react-query'
import type { DayResult, Period } from '@megalot/contract'
import { callRoute } from '../../lib/api/http-client.ts'
import { queryKeys } from '../../lib/api/query-keys.ts'
import { refreshAfter } from '../../lib/api/refresh.ts'
import type { TypedResult } from './result-fields.ts'

/** Below the awards' key, so that whatever refreshes results refreshes these. */
const awardKey = (name: string, ...of: readonly string[]) => [...queryKeys.awards.all, name, ...of]

export const awardPreviewQuery = (period_code: string, result: TypedResult) =>
  queryOptions({
    queryKey: awardKey('preview', period_code, JSON.stringify(result)),
    queryFn: async ({ signal }) => (await callRoute(previewAward, { body: { period_code, result }, signal })).data,
    retry: false,
  })

export const awardEntriesQuery = (period_code: string) =>
  queryOptions({
    queryKey: awardKey('entries', period_code),
    queryFn: async ({ signal }) => (await callRoute(getAwardEntries, { params: { period_code }, signal })).data,
    refetchInterval: 10_000,
  })

/** Results that somebody has to enter: nobody has, one of two has, or two entries differ. */
const AWAITED: readonly (DayResult | null)[] = ['none', 'one_of_two', 'differs']

/** The first period that is drawn and awaits its result; null where there is none. */
export const firstAwaitedQuery = queryOptions({
  queryKey: awardKey('first-awaited'),
  queryFn: async ({ signal }): Promise<Period | null> => {
    const { now, periods } = (await callRoute(listDayPeriods, { query: {}, signal })).data
    const drawn = periods.filter(
      ({ period, result }) => AWAITED.includes(result) && Date.parse(period.draw_at) <= Date.parse(now),
    )
    return drawn.map(({ period }) => period).toSorted(byDraw)[0] ?? null
  },
})

/** By the draw, the first one before the others. */
export function byDraw(one: Period, other: Period): number {
  return Date.parse(one.draw_at) - Date.parse(other.draw_at)
}

/** A period by its code: the list of a market has its last ones only. */
export const periodQuery = (product_code: string | undefined, period_code: string) =>
  queryOptions({
    queryKey: [...queryKeys.markets.all, 'one', period_code],
    enabled: product_code !== undefined && period_code !== '',
    queryFn: async ({ signal }) =>
      (await callRoute(getPeriod, { params: { product_code: product_code ?? '', period_code }, signal })).data.period,
  })

/** Removes two entries that differ, or one's own. */
export async function removeEntries(period_code: string, reason: string): Promise<void> {
  try {
    await callRoute(resetAward, { body: { period_code, reason } })
  } finally {
    void refreshAfter('award_entered')
  }
}
