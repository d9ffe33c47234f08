import type { BodyOf, Payment, QueryOf, Rows } from '@megalot/contract'
import { answerDispute, listPayments } from '@megalot/contract/browser'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { callRoute } from '../../../lib/api/http-client.ts'
import { queryKeys } from '../../../lib/api/query-keys.ts'
import type { Change } from '../../../lib/api/use-change.ts'

const PART_SIZE = 50

export type PaymentFilters = Omit<NonNullable<QueryOf<Rows['listPayments']>>, 'before' | 'ipp'>

/** Payments, newest first; each part says how many there are and their sums. */
export const paymentsQuery = (filters: PaymentFilters) =>
  infiniteQueryOptions({
    queryKey: queryKeys.money.part('payments', filters),
    queryFn: ({ pageParam: before, signal }) =>
      callRoute(listPayments, {
        query: { ...filters, ipp: String(PART_SIZE), ...(before === undefined ? {} : { before }) },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ data }) => (data.length < PART_SIZE ? undefined : String(data.at(-1)!.payment_id)),
    placeholderData: keepPreviousData,
  })

/** How many disputes of children wait for an answer. */
export const disputeCountQuery = queryOptions({
  queryKey: queryKeys.money.part('disputes'),
  queryFn: async ({ signal }) =>
    (await callRoute(listPayments, { query: { is_disputed: 'true', ipp: '1' }, signal })).total_count,
  refetchInterval: 60_000,
})

export const sendAnswer: Change<{ payment_id: number } & BodyOf<Rows['answerDispute']>, Payment> = {
  changes: 'money_changed',
  waits: true,
  send: async ({ payment_id, ...body }) =>
    (await callRoute(answerDispute, { params: { payment_id: String(payment_id) }, body })).data,
}
