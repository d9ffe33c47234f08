import { getOwnMoney } from '@megalot/contract/browser'
import { queryOptions } from '@tanstack/react-query'
import { callRoute } from '../../lib/api/http-client.ts'
import { queryKeys } from '../../lib/api/query-keys.ts'

/** What the member and its agent owe each other, with the last payments. */
export const ownMoneyQuery = queryOptions({
  queryKey: queryKeys.money.part('own'),
  queryFn: async ({ signal }) => (await callRoute(getOwnMoney, { signal })).data,
})
