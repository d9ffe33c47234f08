import type { BodyOf, QueryOf, Rows } from '@megalot/contract'
import {
  correctAward,
  deleteOrder,
  enterAward,
  getShareTerms,
  listDownline,
  listOrders,
  listWaitingDecisions,
  changeShareTerms,
} from '@megalot/contract/browser'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { readFullPart } from '../../../lib/api/full-part.ts'
import { queryClient } from '../../../lib/api/query-client.ts'
import type { Change } from '../../../lib/api/use-change.ts'
import { queryKeys } from '../../../lib/api/query-keys.ts'
import { callRoute } from '../../../lib/api/http-client.ts'

const PART_SIZE = '50'

export type TicketFilter = Omit<QueryOf<Rows['listOrders']>, 'before' | 'page' | 'ipp' | 'with_period' | 'v'>

/** The tickets after a ticket. */
function findTickets(filter: TicketFilter, before: string | undefined, signal: AbortSignal) {
  const ask = (next: string | undefined) =>
    callRoute(listOrders, {
      query: { ...filter, ...(next === undefined ? {} : { before: next }), ipp: PART_SIZE },
      signal,
    })
  return readFullPart(ask, before, Number(PART_SIZE))
}

/** Poll interval of a list's first page while it follows new tickets, in ms. */
const FEED_MS = 3_000

/**
 * Tickets that the filter finds, newest first.
 *
 * @param isLive the list follows new tickets, as long as no older part of it was asked for
 */
export const managedOrdersQuery = (filter: TicketFilter, isLive: boolean) =>
  infiniteQueryOptions({
    queryKey: queryKeys.orders.managed(filter),
    queryFn: ({ pageParam: before, signal }) => findTickets(filter, before, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_before }) => (next_before === null ? undefined : String(next_before)),
    placeholderData: keepPreviousData,
    // A list that needs several calls is asked for as much less often.
    refetchInterval: ({ state }) =>
      isLive && (state.data?.pages.length ?? 0) <= 1 ? FEED_MS * (state.data?.pages[0]?.asked ?? 1) : false,
  })

/** Deletes a ticket of an open period and refunds it. */
export const deleteTicket: Change<{ order_id: number; reason: string }> = {
  changes: 'ticket_removed',
  send: ({ order_id, reason }) => callRoute(deleteOrder, { params: { order_id: String(order_id) }, body: { reason } }),
}

const PROPOSALS_MS = 30_000

/** Proposals to void a ticket that wait for a second office user. */
export const voidProposalsQuery = queryOptions({
  queryKey: queryKeys.approvals.part('void_order'),
  queryFn: async ({ signal }) =>
    (await callRoute(listWaitingDecisions, { query: { kind: 'void_order' }, signal })).data,
  refetchInterval: PROPOSALS_MS,
})

export const sendAward: Change<{ date: string } & BodyOf<Rows['enterAward']>> = {
  changes: 'award_entered',
  send: ({ date, ...body }) => callRoute(enterAward, { query: { date }, body }),
}

export const sendCorrection: Change<BodyOf<Rows['correctAward']>> = {
  changes: 'award_corrected',
  send: (body) => callRoute(correctAward, { body }),
}

/** Users under the caller whose name holds a text, by name. */
export const downlineQuery = (search: string) =>
  infiniteQueryOptions({
    queryKey: queryKeys.downline.list(search),
    queryFn: async ({ pageParam: page, signal }) => {
      const query = { ...(search === '' ? {} : { search }), page: String(page), ipp: PART_SIZE }
      return (await callRoute(listDownline, { query, signal })).data
    },
    initialPageParam: 0,
    getNextPageParam: (part, _parts, page) => (part.length < Number(PART_SIZE) ? undefined : page + 1),
    placeholderData: keepPreviousData,
  })

export const shareQuery = (user_id: number) =>
  queryOptions({
    queryKey: queryKeys.downline.share(user_id),
    queryFn: async ({ signal }) =>
      (await callRoute(getShareTerms, { params: { user_id: String(user_id) }, signal })).data,
  })

export const saveShare: Change<{ user_id: number } & BodyOf<Rows['changeShareTerms']>> = {
  changes: 'share_changed',
  send: async ({ user_id, ...body }) => {
    const { data } = await callRoute(changeShareTerms, { params: { user_id: String(user_id) }, body })
    // A form that opens at once shows the saved share.
    queryClient.setQueryData(queryKeys.downline.share(user_id), data)
  },
}
