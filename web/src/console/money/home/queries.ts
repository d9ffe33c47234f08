import type { Approval } from '@megalot/contract'
import { getMoneyHome, listApprovals, withdrawProposal } from '@megalot/contract/browser'
import { queryOptions } from '@tanstack/react-query'
import { callRoute } from '../../../lib/api/http-client.ts'
import { queryKeys } from '../../../lib/api/query-keys.ts'
import type { Change } from '../../../lib/api/use-change.ts'

const REFETCH_MS = 60_000

export const homeQuery = queryOptions({
  queryKey: queryKeys.money.part('home'),
  queryFn: async ({ signal }) => (await callRoute(getMoneyHome, { signal })).data,
  refetchInterval: REFETCH_MS,
})

/** An agent's own proposals that wait for the office. */
export const ownProposalsQuery = queryOptions({
  queryKey: queryKeys.approvals.part('own-waiting'),
  queryFn: async ({ signal }) => (await callRoute(listApprovals, { query: { state: 'waiting' }, signal })).data,
  refetchInterval: REFETCH_MS,
})

export const withdrawOwnProposal: Change<{ approval_id: number; reason: string }, Approval> = {
  changes: 'approval_decided',
  send: async ({ approval_id, reason }) =>
    (await callRoute(withdrawProposal, { params: { approval_id: String(approval_id) }, body: { reason } })).data,
}
