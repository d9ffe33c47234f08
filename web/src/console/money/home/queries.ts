import { getMoneyHome } from '@megalot/contract/browser'
import { queryOptions } from '@tanstack/react-query'
import { callRoute } from '../../../lib/api/http-client.ts'
import { queryKeys } from '../../../lib/api/query-keys.ts'

const REFETCH_MS = 60_000

export const homeQuery = queryOptions({
  queryKey: queryKeys.money.part('home'),
  queryFn: async ({ signal }) => (await callRoute(getMoneyHome, { signal })).data,
  refetchInterval: REFETCH_MS,
})
