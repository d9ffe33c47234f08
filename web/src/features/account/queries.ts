import { getPlayLimits, setPlayLimit, takeBreak } from '@megalot/contract'
import type { BodyOf } from '@megalot/contract'
import { queryOptions } from '@tanstack/react-query'
import { callRoute } from '../../lib/api/http-client.ts'
import { queryClient } from '../../lib/api/query-client.ts'

/** The member's own limits. Under the tickets' key: each ticket uses them up. */
export const limitsQuery = queryOptions({
  queryKey: ['orders', 'play-limits'],
  queryFn: async ({ signal }) => (await callRoute(getPlayLimits, { signal })).data,
})

export async function saveLimit(body: BodyOf<typeof setPlayLimit>): Promise<void> {
  queryClient.setQueryData(limitsQuery.queryKey, (await callRoute(setPlayLimit, { body })).data)
}

export async function beginBreak(body: BodyOf<typeof takeBreak>): Promise<void> {
  queryClient.setQueryData(limitsQuery.queryKey, (await callRoute(takeBreak, { body })).data)
}
