import { getPlayLimits, setPlayLimit, takeBreak } from '@megalot/contract'
import type { BodyOf } from '@megalot/contract'
import { queryOptions } from '@tanstack/react-query'
import { queryKeys } from '../../lib/api/query-keys.ts'
import { callRoute } from '../../lib/api/http-client.ts'
import { queryClient } from '../../lib/api/query-client.ts'

/** The member's own limits. */
export const limitsQuery = queryOptions({
  queryKey: queryKeys.orders.playLimits,
  queryFn: async ({ signal }) => (await callRoute(getPlayLimits, { signal })).data,
})

export async function saveLimit(body: BodyOf<typeof setPlayLimit>): Promise<void> {
  queryClient.setQueryData(limitsQuery.queryKey, (await callRoute(setPlayLimit, { body })).data)
}

export async function beginBreak(body: BodyOf<typeof takeBreak>): Promise<void> {
  queryClient.setQueryData(limitsQuery.queryKey, (await callRoute(takeBreak, { body })).data)
}
