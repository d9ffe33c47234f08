import {
  listNumberLists,
  listQuotaExceptions,
  listQuotas,
  listStandingNumbers,
  setNumberList,
  setPackageQuota,
  setPeriodQuota,
  setQuota,
  undoNumberList,
} from '@megalot/contract'
import type { NumberListResult, UndoResult } from '@megalot/contract'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { callRoute } from '../../lib/api/http-client.ts'
import { queryKeys } from '../../lib/api/query-keys.ts'
import { refreshAfter } from '../../lib/api/refresh.ts'
import { randomUuid } from '../../lib/device/random-uuid.ts'
import type { ListContent } from './list-draft.ts'
import type { QuotaChange } from './quota-rows.ts'

/** A preview writes nothing, so that its reason is never read. */
const PREVIEW_REASON = 'preview'
/** As many as the server gives at once. */
const PART_SIZE = 50
/** A list may have 20,000 rows. */
const TIMEOUT_MS = 60_000

/** Lists of numbers, newest first, undone ones too. */
export const numberListsQuery = infiniteQueryOptions({
  queryKey: queryKeys.numberLists.part('lists'),
  queryFn: async ({ pageParam: before, signal }) =>
    (await callRoute(listNumberLists, { query: before === undefined ? {} : { before }, signal })).data,
  initialPageParam: undefined as string | undefined,
  getNextPageParam: (part) => (part.length < PART_SIZE ? undefined : String(part.at(-1)!.list_id)),
})

/** One list, however old it is; null: there is none. */
export const numberListQuery = (list_id: number) =>
  queryOptions({
    queryKey: queryKeys.numberLists.part('list', list_id),
    queryFn: async ({ signal }) => {
      const { data } = await callRoute(listNumberLists, { query: { before: String(list_id + 1) }, signal })
      return data.find((list) => list.list_id === list_id) ?? null
    },
  })

/** What standing lists set, in all markets. */
export const standingNumbersQuery = queryOptions({
  queryKey: queryKeys.numberLists.part('standing'),
  queryFn: async ({ signal }) => (await callRoute(listStandingNumbers, { query: {}, signal })).data,
})

/** What a list would do; null: there is none. The last one is shown until the next is there. */
export const listPreviewQuery = (content: ListContent | null) =>
  queryOptions({
    queryKey: queryKeys.numberLists.part('preview', content),
    enabled: content !== null,
    queryFn: async ({ signal }) => {
      const body = { ...content!, request_id: randomUuid(), preview: true, reason: PREVIEW_REASON }
      return (await callRoute(setNumberList, { body, signal, timeoutMs: TIMEOUT_MS })).data
    },
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  })

/** What the undo of a list would leave. */
export const undoPreviewQuery = (list_id: number) =>
  queryOptions({
    queryKey: queryKeys.numberLists.part('undo', list_id),
    queryFn: async ({ signal }) => {
      const params = { list_id: String(list_id) }
      const body = { request_id: randomUuid(), preview: true, reason: PREVIEW_REASON }
      return (await callRoute(undoNumberList, { params, body, signal, timeoutMs: TIMEOUT_MS })).data
    },
    staleTime: 0,
    gcTime: 0,
  })

export async function saveList(content: ListContent, request_id: string, reason: string): Promise<NumberListResult> {
  try {
    return (await callRoute(setNumberList, { body: { ...content, request_id, reason }, timeoutMs: TIMEOUT_MS })).data
  } finally {
    void refreshAfter('limits_changed')
  }
}

export async function undoList(list_id: number, request_id: string, reason: string): Promise<UndoResult> {
  const params = { list_id: String(list_id) }
  try {
    return (await callRoute(undoNumberList, { params, body: { request_id, reason }, timeoutMs: TIMEOUT_MS })).data
  } finally {
    void refreshAfter('limits_changed')
  }
}

/** The standing quotas of all markets, and the exceptions from them. A second person may have raised one meanwhile. */
export const quotasQuery = queryOptions({
  queryKey: queryKeys.numberLists.part('quotas'),
  queryFn: async ({ signal }) => {
    const [standing, exceptions] = await Promise.all([
      callRoute(listQuotas, { signal }),
      callRoute(listQuotaExceptions, { query: {}, signal }),
    ])
    return { standing: standing.data, ...exceptions.data }
  },
  staleTime: 0,
})

/** @throws CallRefused approval_needed for more than the standing quota */
export async function saveQuota(change: QuotaChange, reason: string): Promise<void> {
  try {
    if (change.scope === 'market') await callRoute(setQuota, { body: { ...change.body, reason } })
    else if (change.scope === 'package') await callRoute(setPackageQuota, { body: { ...change.body, reason } })
    else await callRoute(setPeriodQuota, { body: { ...change.body, reason } })
  } finally {
    void refreshAfter('limits_changed')
  }
}
