import type { Approval, BodyOf, WaitingDecision, Rows } from '@megalot/contract'
import {
  approveProposal,
  countWaitingDecisions,
  listDecidedDecisions,
  listWaitingDecisions,
  proposeApproval,
  readRejections,
  rejectProposal,
  withdrawProposal,
} from '@megalot/contract/browser'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { callRoute } from '../../../lib/api/http-client.ts'
import { queryKeys } from '../../../lib/api/query-keys.ts'
import { withRefresh } from '../../../lib/api/with-refresh.ts'

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

export async function propose(body: BodyOf<Rows['proposeApproval']>) {
  return withRefresh('approval_decided', async () => (await callRoute(proposeApproval, { body })).data)
}

export type Verdict = 'approve' | 'reject' | 'withdraw'

/**
 * Decides a proposal.
 * @returns the caller's half of a one-time password; null where none is given
 * @throws CallRefused where it was decided or changed meanwhile: what is on screen is read again by then
 */
export async function decide(
  { approval_id, kind }: Pick<Approval, 'approval_id' | 'kind'>,
  verdict: Verdict,
  reason: string,
): Promise<string | null> {
  const isVoid = kind === 'void_order' || kind === 'void_period'
  return withRefresh(isVoid ? ['approval_decided', 'ticket_removed'] : 'approval_decided', () =>
    sendVerdict(approval_id, verdict, reason),
  )
}

async function sendVerdict(approval_id: number, verdict: Verdict, reason: string): Promise<string | null> {
  const params = { approval_id: String(approval_id) }
  if (verdict === 'approve')
    return (await callRoute(approveProposal, { params, body: reason === '' ? {} : { reason } })).data.password_half
  if (verdict === 'reject') await callRoute(rejectProposal, { params, body: { reason } })
  else await callRoute(withdrawProposal, { params, body: { reason } })
  return null
}
