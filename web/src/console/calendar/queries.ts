import { changeCancelRules, listCalendar, switchProduct } from '@megalot/contract'
import type { CancelRulesChange } from '@megalot/contract'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { callRoute } from '../../lib/api/http-client.ts'
import { queryKeys } from '../../lib/api/query-keys.ts'
import { refreshAfter } from '../../lib/api/refresh.ts'
import { listDays } from './month.ts'

export const calendarQuery = (month: string) =>
  queryOptions({
    queryKey: [...queryKeys.markets.all, 'calendar', month],
    queryFn: async ({ signal }) => {
      const days = listDays(month)
      return (await callRoute(listCalendar, { query: { date_from: days[0]!, date_to: days.at(-1)! }, signal })).data
    },
    placeholderData: keepPreviousData,
  })

export async function saveSwitch(product_code: string, is_enabled: boolean, reason: string): Promise<void> {
  try {
    await callRoute(switchProduct, { params: { product_code }, body: { is_enabled, reason } })
  } finally {
    void refreshAfter('market_hours_passed')
  }
}

export async function saveCancelRules(product_code: string, body: CancelRulesChange): Promise<void> {
  try {
    await callRoute(changeCancelRules, { params: { product_code }, body })
  } finally {
    void refreshAfter('market_hours_passed')
  }
}
