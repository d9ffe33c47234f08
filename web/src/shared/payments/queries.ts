import type { BodyOf, Payment, Rows } from '@megalot/contract'
import { disputePayment, getPaymentSlip } from '@megalot/contract/browser'
import { queryOptions } from '@tanstack/react-query'
import { callRoute } from '../../lib/api/http-client.ts'
import { queryKeys } from '../../lib/api/query-keys.ts'
import type { Change } from '../../lib/api/use-change.ts'

/** The photo of a transfer slip, in base64. */
export const slipQuery = (payment_id: number) =>
  queryOptions({
    queryKey: queryKeys.money.part('slip', payment_id),
    queryFn: async ({ signal }) =>
      (await callRoute(getPaymentSlip, { params: { payment_id: String(payment_id) }, signal })).data,
    staleTime: Infinity,
  })

export const sendDispute: Change<{ payment_id: number } & BodyOf<Rows['disputePayment']>, Payment> = {
  changes: 'payment_disputed',
  waits: true,
  send: async ({ payment_id, ...body }) =>
    (await callRoute(disputePayment, { params: { payment_id: String(payment_id) }, body })).data,
}
