import type { BodyOf, CashDay, Rows } from '@megalot/contract'
import { countCash, getCashBook, handOverCash } from '@megalot/contract/browser'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { callRoute } from '../../../lib/api/http-client.ts'
import { queryKeys } from '../../../lib/api/query-keys.ts'
import type { Change } from '../../../lib/api/use-change.ts'
import { dropUndefined } from '../../../lib/search/drop-undefined.ts'

/** The cash of a day by holder. Without a day it is today's. */
export const cashQuery = (day: string | undefined) =>
  queryOptions({
    queryKey: queryKeys.money.part('cash', day),
    queryFn: ({ signal }) => callRoute(getCashBook, { query: dropUndefined({ day }), signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  })

export const sendCount: Change<BodyOf<Rows['countCash']>, CashDay> = {
  changes: 'money_changed',
  send: async (body) => (await callRoute(countCash, { body })).data,
}

export const sendHandOver: Change<BodyOf<Rows['handOverCash']>, CashDay> = {
  changes: 'money_changed',
  send: async (body) => (await callRoute(handOverCash, { body })).data,
}
