import {
  approveProposal,
  countWaitingDecisions,
  endPeriodVoid,
  endVoidRequest,
  listDecidedDecisions,
  listWaitingDecisions,
  proposeApproval,
  readRejections,
  rejectProposal,
  voidOrder,
  voidPeriod,
  withdrawProposal,
} from '@megalot/contract'
import type { BodyOf, WaitingDecision } from '@megalot/contract'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { callRoute } from '../../lib/api/http-client.ts'
import { queryKeys } from '../../lib/api/query-keys.ts'
import { withRefresh } from '../../lib/api/with-refresh.ts'

const PART_SIZE = 50
const REFETCH_MS = 60_000

/** Everything that waits for a second person, oldest first. */
export const waitingQuery = queryOptions({
  queryKey: queryKeys.approvals.part('waiting'),
  queryFn: async ({ signal }) => (await callRoute(listWaitingDecisions, { query: {}, signal })).data,
  refetchInterval: REFETCH_MS,
})

/** How much of that waits, for the menu. */
export const waitingCountQuery = queryOptions({
  queryKey: queryKeys.approvals.part('count'),
  queryFn: async ({ signal }) => (await callRoute(countWaitingDecisions, { signal })).data,
  refetchInterval: REFETCH_MS,
})

/** What has been decided or has expired, newest first. */
export const decidedQuery = infiniteQueryOptions({
  queryKey: queryKeys.approvals.part('decided'),
  queryFn: ({ pageParam, signal }) => {
    const before = pageParam === null ? {} : { before: pageParam }
    return callRoute(listDecidedDecisions, { query: { ...before, ipp: String(PART_SIZE) }, signal })
  },
  initialPageParam: null as string | null,
  getNextPageParam: ({ next_before }) => next_before ?? undefined,
})

/** What others have rejected lately of what the user has begun, newest first. */
export const ownRejectedQuery = queryOptions({
  queryKey: queryKeys.approvals.part('own-rejected'),
  queryFn: async ({ signal }) =>
    (await callRoute(listDecidedDecisions, { query: { own_rejected: 'true' }, signal })).data,
  refetchInterval: REFETCH_MS,
})

/** Shows the rejections up to one no more. */
export async function putRejectionsAside(up_to: string): Promise<void> {
  await withRefresh('rejections_read', () => callRoute(readRejections, { body: { up_to } }), { isAwaited: true })
}

export async function propose(body: BodyOf<typeof proposeApproval>) {
  return withRefresh('approval_decided', async () => (await callRoute(proposeApproval, { body })).data)
}

/** What a verdict is about. */
type Decidable = Pick<WaitingDecision, 'approval' | 'kind' | 'order_id' | 'period_code' | 'void_request_id'>

export type Verdict = 'approve' | 'reject' | 'withdraw'

/**
 * Decides a proposal, or is the second person of a void.
 * @returns the caller's half of a one-time password; null where none is given
 * @throws CallRefused where it was decided or changed meanwhile: what is on screen is read again by then
 */
export async function decide(decision: Decidable, verdict: Verdict, reason: string): Promise<string | null> {
  return withRefresh(decision.approval === null ? ['approval_decided', 'ticket_removed'] : 'approval_decided', () =>
    sendVerdict(decision, verdict, reason),
  )
}

async function sendVerdict(decision: Decidable, verdict: Verdict, reason: string): Promise<string | null> {
  const { approval, kind, order_id, period_code, void_request_id } = decision
  if (approval !== null) {
    const params = { approval_id: String(approval.approval_id) }
    const body = { reason }
    if (verdict === 'approve')
      return (await callRoute(approveProposal, { params, body: reason === '' ? {} : body })).data.password_half
    if (verdict === 'reject') await callRoute(rejectProposal, { params, body: { reason } })
    else await callRoute(withdrawProposal, { params, body: { reason } })
    return null
  }
  // What was seen, whatever waits now.
  if (void_request_id === null) return null
  if (kind === 'void_order' && order_id !== null) {
    const params = { order_id: String(order_id) }
    if (verdict === 'approve') await callRoute(voidOrder, { params, body: { reason, approves: void_request_id } })
    else await callRoute(endVoidRequest, { params, body: { reason, void_request_id } })
  } else if (kind === 'void_period' && period_code !== null) {
    const params = { period_code }
    if (verdict === 'approve') await callRoute(voidPeriod, { params, body: { reason, approves: void_request_id } })
    else await callRoute(endPeriodVoid, { params, body: { reason, void_request_id } })
  }
  return null
}
