import type { CancelRulesChange, DrawDayChange, HolidayChange, PeriodChanges, TimetableChange } from '@megalot/contract'
import {
  changeCancelRules,
  listCalendar,
  listTimetables,
  previewTimetable,
  setDrawDay,
  setHoliday,
  switchProduct,
} from '@megalot/contract/browser'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { callRoute } from '../../../lib/api/http-client.ts'
import { queryKeys } from '../../../lib/api/query-keys.ts'
import type { Change } from '../../../lib/api/use-change.ts'
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

/** The periods of one day, to preview a holiday. */
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

export const saveHoliday: Change<HolidayChange, PeriodChanges> = {
  changes: 'market_hours_passed',
  send: async (body) => (await callRoute(setHoliday, { body })).data,
}

export const saveDrawDay: Change<DrawDayChange> = {
  changes: 'market_hours_passed',
  send: ({ product_code, ...body }) => callRoute(setDrawDay, { params: { product_code }, body }),
}

export const saveSwitch: Change<{ product_code: string; is_enabled: boolean; reason: string }> = {
  changes: 'market_hours_passed',
  send: ({ product_code, ...body }) => callRoute(switchProduct, { params: { product_code }, body }),
}

export const saveCancelRules: Change<{ product_code: string } & CancelRulesChange> = {
  changes: 'market_hours_passed',
  send: ({ product_code, ...body }) => callRoute(changeCancelRules, { params: { product_code }, body }),
}
