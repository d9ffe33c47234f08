import type { BodyOf, Clearing, QueryOf, Rows } from '@megalot/contract'
import { changeClearing, getClearing, listClearings } from '@megalot/contract/browser'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { callRoute } from '../../../lib/api/http-client.ts'
import { queryKeys } from '../../../lib/api/query-keys.ts'
import type { Change } from '../../../lib/api/use-change.ts'

const PART_SIZE = 50

export type ClearingFilters = Omit<NonNullable<QueryOf<Rows['listClearings']>>, 'before' | 'ipp'>

/** Clearing statements, newest first. */
export const clearingsQuery = (filters: ClearingFilters) =>
  infiniteQueryOptions({
    queryKey: queryKeys.money.part('clearings', filters),
    queryFn: ({ pageParam: before, signal }) =>
      callRoute(listClearings, {
        query: { ...filters, ipp: String(PART_SIZE), ...(before === undefined ? {} : { before }) },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ data }) => (data.length < PART_SIZE ? undefined : String(data.at(-1)!.clearing_id)),
    placeholderData: keepPreviousData,
  })

export const clearingQuery = (clearing_id: string) =>
  queryOptions({
    queryKey: queryKeys.money.part('clearing', clearing_id),
    queryFn: async ({ signal }) => (await callRoute(getClearing, { params: { clearing_id }, signal })).data,
  })

export const sendClearingMove: Change<{ clearing_id: number } & BodyOf<Rows['changeClearing']>, Clearing> = {
  changes: 'money_changed',
  waits: true,
  send: async ({ clearing_id, ...body }) =>
    (await callRoute(changeClearing, { params: { clearing_id: String(clearing_id) }, body })).data,
}
