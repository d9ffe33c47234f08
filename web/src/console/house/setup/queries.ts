import type { BodyOf, DataOf, Rows } from '@megalot/contract'
import { createFirstOwner, inviteOwner, listReadiness, openMarkets, sendTestMail } from '@megalot/contract/browser'
import { queryOptions } from '@tanstack/react-query'
import { callRoute } from '../../../lib/api/http-client.ts'
import { queryKeys } from '../../../lib/api/query-keys.ts'
import { withRefresh } from '../../../lib/api/with-refresh.ts'
import { openSession } from '../../../lib/session/session-store.ts'

/** The checks of the set-up. Never fresh, because other pages change what they check. */
export const readinessQuery = queryOptions({
  queryKey: queryKeys.readiness.all,
  queryFn: async ({ signal }) => (await callRoute(listReadiness, { signal })).data,
  staleTime: 0,
})

/** Creates the first owner and logs in as that owner. */
export async function makeFirstOwner(body: BodyOf<Rows['createFirstOwner']>): Promise<void> {
  const { sessionId: sessionToken } = await callRoute(createFirstOwner, { body })
  openSession(sessionToken)
}

export async function makeOwnerLink(body: BodyOf<Rows['inviteOwner']>): Promise<DataOf<Rows['inviteOwner']>> {
  return withRefresh('staff_changed', async () => (await callRoute(inviteOwner, { body })).data)
}

export async function tryMail(to: string): Promise<DataOf<Rows['sendTestMail']>> {
  return (await callRoute(sendTestMail, { body: { to } })).data
}

export async function openWithQuotas(body: BodyOf<Rows['openMarkets']>): Promise<void> {
  await withRefresh('markets_opened', () => callRoute(openMarkets, { body }))
}
