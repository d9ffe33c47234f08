import type { CancelRulesChange, DrawDayChange, HolidayChange, PeriodChanges, TimetableChange } from '@megalot/contract'
import {
  changeCancelRules,
  listCalendar,
  listTimetables,
  previewTimetable,
  proposeApproval,
  setDrawDay,
  setHoliday,
  switchProduct,
} from '@megalot/contract/browser'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { callRoute } from '../../../lib/api/http-client.ts'
import { queryKeys } from '../../../lib/api/query-keys.ts'
import { withRefresh } from '../../../lib/api/with-refresh.ts'
import { listDays } from './month.ts'

export const calendarQuery = (month: string) =>
  queryOptions({
    queryKey: queryKeys.markets.part('calendar', month),
    queryFn: async ({ signal }) => {
      const days = listDays(month)
      return (await callRoute(listCalendar, { query: { date_from: days[0]!, date_to: days.at(-1)! }, signal })).data
    },
    placeholderData: keepPreviousData,
  })

/** The periods of one day, for what a holiday would do with them. */
export const calendarDayQuery = (day: string) =>
  queryOptions({
    queryKey: queryKeys.markets.part('calendar', day),
    queryFn: async ({ signal }) =>
      (await callRoute(listCalendar, { query: { date_from: day, date_to: day }, signal })).data,
  })

export const timetablesQuery = queryOptions({
  queryKey: queryKeys.markets.part('timetables'),
  queryFn: async ({ signal }) => (await callRoute(listTimetables, { signal })).data,
})

export const timetablePreviewQuery = ({ product_code, ...body }: TimetableChange) =>
  queryOptions({
    queryKey: queryKeys.markets.part('timetable', product_code, body),
    queryFn: async ({ signal }) => (await callRoute(previewTimetable, { params: { product_code }, body, signal })).data,
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 0,
  })

/** @param request_id the same for the same proposal, however often it is sent */
export async function proposeTimetable(payload: TimetableChange, reason: string, request_id: string): Promise<void> {
  await withRefresh('approval_decided', () =>
    callRoute(proposeApproval, { body: { kind: 'change_timetable', payload, request_id, reason } }),
  )
}

export async function saveHoliday(body: HolidayChange): Promise<PeriodChanges> {
  return withRefresh('market_hours_passed', async () => (await callRoute(setHoliday, { body })).data)
}

export async function saveDrawDay({ product_code, ...body }: DrawDayChange): Promise<void> {
  await withRefresh('market_hours_passed', () => callRoute(setDrawDay, { params: { product_code }, body }))
}

export async function saveSwitch(product_code: string, is_enabled: boolean, reason: string): Promise<void> {
  await withRefresh('market_hours_passed', () =>
    callRoute(switchProduct, { params: { product_code }, body: { is_enabled, reason } }),
  )
}

export async function saveCancelRules(product_code: string, body: CancelRulesChange): Promise<void> {
  await withRefresh('market_hours_passed', () => callRoute(changeCancelRules, { params: { product_code }, body }))
}
