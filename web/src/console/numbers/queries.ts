import { listNumberLists, listStandingNumbers, setNumberList, undoNumberList } from '@megalot/contract'
import type { NumberListResult, UndoResult } from '@megalot/contract'
import { queryOptions } from '@tanstack/react-query'
import { callRoute } from '../../lib/api/http-client.ts'
import { queryKeys } from '../../lib/api/query-keys.ts'
import { refreshAfter } from '../../lib/api/refresh.ts'
import { randomUuid } from '../../lib/device/random-uuid.ts'
import type { ListContent } from './list-draft.ts'

/** A preview is not done, so its reason is never read. */
const PREVIEW_REASON = 'preview'

/** The newest lists, undone ones too. */
export const numberListsQuery = queryOptions({
  queryKey: queryKeys.numberLists.part('newest'),
  queryFn: async ({ signal }) => (await callRoute(listNumberLists, { query: {}, signal })).data,
})

/** What stands in all markets. */
export const standingNumbersQuery = queryOptions({
  queryKey: queryKeys.numberLists.part('standing'),
  queryFn: async ({ signal }) => (await callRoute(listStandingNumbers, { query: {}, signal })).data,
})

/** What a list would do. */
export const listPreviewQuery = (content: ListContent) =>
  queryOptions({
    queryKey: queryKeys.numberLists.part('preview', content),
    queryFn: async ({ signal }) => {
      const body = { ...content, request_id: randomUuid(), preview: true, reason: PREVIEW_REASON }
      return (await callRoute(setNumberList, { body, signal })).data
    },
  })

/** What the undo of a list would leave. */
export const undoPreviewQuery = (list_id: number) =>
  queryOptions({
    queryKey: queryKeys.numberLists.part('undo', list_id),
    queryFn: async ({ signal }) => {
      const body = { request_id: randomUuid(), preview: true, reason: PREVIEW_REASON }
      return (await callRoute(undoNumberList, { params: { list_id: String(list_id) }, body, signal })).data
    },
  })

export async function saveList(content: ListContent, request_id: string, reason: string): Promise<NumberListResult> {
  try {
    return (await callRoute(setNumberList, { body: { ...content, request_id, reason } })).data
  } finally {
    void refreshAfter('numbers_changed')
  }
}

export async function undoList(list_id: number, request_id: string, reason: string): Promise<UndoResult> {
  try {
    const params = { list_id: String(list_id) }
    return (await callRoute(undoNumberList, { params, body: { request_id, reason } })).data
  } finally {
    void refreshAfter('numbers_changed')
  }
}
