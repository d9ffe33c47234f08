import type { WaitingDecision } from '@megalot/contract'
import {
  approveProposal,
  countWaitingDecisions,
  listDecidedDecisions,
  listWaitingDecisions,
  readRejections,
  rejectProposal,
  withdrawProposal,
} from '@megalot/contract/browser'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { callRoute } from '../../../lib/api/http-client.ts'
import { queryKeys } from '../../../lib/api/query-keys.ts'
import type { Change } from '../../../lib/api/use-change.ts'

const PART_SIZE = 50
const REFETCH_MS = 60_000

/** The period that a proposal would void; null of anything else. */
export function voidedPeriodOf({ approval }: Pick<WaitingDecision, 'approval'>): string | null {
  return approval?.kind === 'void_period' ? String(approval.payload['period_code']) : null
}

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

/** Decided and expired requests, newest first. */
export const decidedQuery = infiniteQueryOptions({
  queryKey: queryKeys.approvals.part('decided'),
  queryFn: ({ pageParam, signal }) => {
    const before = pageParam === null ? {} : { before: pageParam }
    return callRoute(listDecidedDecisions, { query: { ...before, ipp: String(PART_SIZE) }, signal })
  },
  initialPageParam: null as string | null,
  getNextPageParam: ({ next_before }) => next_before ?? undefined,
})

/** The user's requests that others have recently rejected, newest first. */
export const ownRejectedQuery = queryOptions({
  queryKey: queryKeys.approvals.part('own-rejected'),
  queryFn: async ({ signal }) =>
    (await callRoute(listDecidedDecisions, { query: { own_rejected: 'true' }, signal })).data,
  refetchInterval: REFETCH_MS,
})

/** Hides the rejections up to one. */
export const putRejectionsAside: Change<string> = {
  changes: 'rejections_read',
  waits: true,
  send: (up_to) => callRoute(readRejections, { body: { up_to } }),
}

export type Verdict = 'approve' | 'reject' | 'withdraw'

interface Decision {
  approval_id: number
  verdict: Verdict
  /** Empty: an approval without one. */
  reason: string
}

/** Decides a proposal of a kind. Results in the caller's half of a one-time password, or null. */
export const decisionOf = (kind: WaitingDecision['kind']): Change<Decision, string | null> => ({
  changes:
    kind === 'void_order' || kind === 'void_period' ? ['approval_decided', 'ticket_removed'] : 'approval_decided',
  send: async ({ approval_id, verdict, reason }) => {
    const params = { approval_id: String(approval_id) }
    if (verdict === 'approve')
      return (await callRoute(approveProposal, { params, body: reason === '' ? {} : { reason } })).data.password_half
    if (verdict === 'reject') await callRoute(rejectProposal, { params, body: { reason } })
    else await callRoute(withdrawProposal, { params, body: { reason } })
    return null
  },
})
