import type { Envelope, OrderQuery, Rows } from '@megalot/contract'
import { listDeletedOrders, listOrders } from '@megalot/contract/browser'
import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query'
import { queryKeys } from '../../lib/api/query-keys.ts'
import { callRoute } from '../../lib/api/http-client.ts'
import type { BillFilters } from './bill-filters.ts'

const PART_SIZE = '50'
/** What is on screen is asked for anew by the news; coming back to the window alone does not ask for a long list again. */
const MAX_PARTS_ON_FOCUS = 3

interface BillPart {
  next_before: number | null
}

/** How many filters are set besides the text that is searched for. */
export function countFilters({ search: _search, ...filters }: BillFilters): number {
  return Object.values(filters).filter((one) => one !== undefined).length
}

/** The filters as the server takes them. */
export function queryOfFilters({ search, ...rest }: BillFilters): OrderQuery {
  const text = search?.trim() ?? ''
  // As it stands on a ticket: its number, and nothing else.
  const order_id = /^#([1-9]\d{0,14})$/.exec(text)?.[1]
  if (order_id !== undefined) return { ...rest, order_id }
  return text === '' ? rest : { ...rest, search: text }
}

const listOptions = {
  initialPageParam: undefined as string | undefined,
  getNextPageParam: ({ next_before }: BillPart) => (next_before === null ? undefined : String(next_before)),
  // While the next answer is on its way the list before stays: typing does not make it flicker.
  placeholderData: keepPreviousData,
}

/** What both lists of tickets read: their parts are of one form. */
export type BillsResult = UseInfiniteQueryResult<InfiniteData<Envelope<Rows['listOrders']>>>

/** Tickets as the filters narrow them, newest first, a part at a time. */
export const billsQuery = (filters: BillFilters) =>
  infiniteQueryOptions({
    ...listOptions,
    queryKey: queryKeys.orders.list(filters),
    queryFn: ({ pageParam: before, signal }) =>
      callRoute(listOrders, {
        query: {
          ...queryOfFilters(filters),
          ...(before === undefined ? {} : { before }),
          ipp: PART_SIZE,
          // As the specification names the call; neither has an effect.
          with_period: 'true',
          v: '2',
        },
        signal,
      }),
    refetchOnWindowFocus: ({ state }) => (state.data?.pages.length ?? 0) <= MAX_PARTS_ON_FOCUS,
  })

/** Deleted tickets; they have one status. */
export const deletedBillsQuery = (filters: BillFilters) =>
  infiniteQueryOptions({
    ...listOptions,
    queryKey: queryKeys.orders.deleted(filters),
    queryFn: ({ pageParam: before, signal }) => {
      const { status: _status, period_code: _period, ...query } = queryOfFilters(filters)
      return callRoute(listDeletedOrders, {
        query: { ...query, ...(before === undefined ? {} : { before }), ipp: PART_SIZE },
        signal,
      })
    },
    refetchOnWindowFocus: ({ state }) => (state.data?.pages.length ?? 0) <= MAX_PARTS_ON_FOCUS,
  })
