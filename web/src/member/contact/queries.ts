import { getContact } from '@megalot/contract/browser'
import { queryOptions } from '@tanstack/react-query'
import { callRoute } from '../../lib/api/http-client.ts'
import { queryKeys } from '../../lib/api/query-keys.ts'

/** How the member reaches its agent; null where the agent has set nothing. */
export const contactQuery = queryOptions({
  queryKey: queryKeys.user.part('contact'),
  queryFn: async ({ signal }) => (await callRoute(getContact, { signal })).data,
})
