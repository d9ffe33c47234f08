import type { BodyOf, BulkResult, Payment, Rows } from '@megalot/contract'
import {
  addPaymentSlip,
  adjustBalance,
  getEdge,
  getPayment,
  getWeekSheet,
  listPayments,
  recordPayments,
  reversePayment,
  setEdgeTerms,
} from '@megalot/contract/browser'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { callRoute } from '../../../lib/api/http-client.ts'
import { queryKeys } from '../../../lib/api/query-keys.ts'
import type { Change } from '../../../lib/api/use-change.ts'
import { dropUndefined } from '../../../lib/search/drop-undefined.ts'

const REFETCH_MS = 60_000
const LAST_PAYMENTS = '20'

export const sheetQuery = (week: string | undefined) =>
  queryOptions({
    queryKey: queryKeys.money.part('sheet', week),
    queryFn: ({ signal }) => callRoute(getWeekSheet, { query: dropUndefined({ week }), signal }),
    placeholderData: keepPreviousData,
    refetchInterval: REFETCH_MS,
  })

/** A child's balance, from its parent's side. */
export const edgeQuery = (user_id: number) =>
  queryOptions({
    queryKey: queryKeys.money.part('edge', user_id),
    queryFn: async ({ signal }) => (await callRoute(getEdge, { params: { user_id: String(user_id) }, signal })).data,
  })

/** The last payments of a child, newest first. */
export const lastPaymentsQuery = (user_id: number) =>
  queryOptions({
    queryKey: queryKeys.money.part('last-payments', user_id),
    queryFn: async ({ signal }) =>
      (await callRoute(listPayments, { query: { user_id: String(user_id), ipp: LAST_PAYMENTS }, signal })).data,
  })

export const paymentQuery = (payment_id: number) =>
  queryOptions({
    queryKey: queryKeys.money.part('payment', payment_id),
    queryFn: async ({ signal }) =>
      (await callRoute(getPayment, { params: { payment_id: String(payment_id) }, signal })).data,
  })

/** The caller's newest payments, of all children. */
export const newestPaymentsQuery = queryOptions({
  queryKey: queryKeys.money.part('newest'),
  queryFn: async ({ signal }) => (await callRoute(listPayments, { query: { ipp: LAST_PAYMENTS }, signal })).data,
})

export type NewPayments = Omit<BodyOf<Rows['recordPayments']>, 'preview'>
export type PaymentRow = NewPayments['rows'][number]

const PREVIEW_ID = '00000000-0000-4000-8000-000000000000'
/** A thousand rows may take longer than a usual call. */
const TIMEOUT_MS = 60_000

/** What payments would do, row by row. Writes nothing. */
export const previewQuery = (rows: readonly PaymentRow[]) =>
  queryOptions({
    queryKey: queryKeys.money.part('preview', rows),
    queryFn: async ({ signal }) =>
      (
        await callRoute(recordPayments, {
          body: { request_id: PREVIEW_ID, preview: true, rows: [...rows] },
          signal,
          timeoutMs: TIMEOUT_MS,
        })
      ).data,
    staleTime: 0,
    gcTime: 0,
  })

/** Records payments. Sent again with the same `request_id` it has the same result and records nothing more. */
export const sendPayments: Change<NewPayments, BulkResult> = {
  changes: 'money_changed',
  // A single payment may be sent as its page is left.
  send: async (body) =>
    (await callRoute(recordPayments, { body, timeoutMs: TIMEOUT_MS, keepalive: body.rows.length === 1 })).data,
}

export const sendAdjustment: Change<BodyOf<Rows['adjustBalance']>, Payment> = {
  changes: 'money_changed',
  send: async (body) => (await callRoute(adjustBalance, { body })).data,
}

export const sendReversal: Change<BodyOf<Rows['reversePayment']>, Payment> = {
  changes: 'money_changed',
  send: async (body) => (await callRoute(reversePayment, { body })).data,
}

export const sendSlip: Change<{ payment_id: number } & BodyOf<Rows['addPaymentSlip']>> = {
  changes: 'money_changed',
  send: ({ payment_id, ...body }) =>
    callRoute(addPaymentSlip, { params: { payment_id: String(payment_id) }, body, timeoutMs: TIMEOUT_MS }),
}

export const sendEdgeTerms: Change<{ user_id: number } & BodyOf<Rows['setEdgeTerms']>> = {
  changes: 'money_changed',
  send: ({ user_id, ...body }) => callRoute(setEdgeTerms, { params: { user_id: String(user_id) }, body }),
}
