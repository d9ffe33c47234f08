import type { BodyOf, DataOf, Rows } from '@megalot/contract'
import { createFirstOwner, inviteOwner, listReadiness, openMarkets, sendTestMail } from '@megalot/contract/browser'
import { queryOptions } from '@tanstack/react-query'
import { callRoute } from '../../../lib/api/http-client.ts'
import { queryKeys } from '../../../lib/api/query-keys.ts'
import type { Change } from '../../../lib/api/use-change.ts'
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

export const makeOwnerLink: Change<BodyOf<Rows['inviteOwner']>, DataOf<Rows['inviteOwner']>> = {
  changes: 'staff_changed',
  send: async (body) => (await callRoute(inviteOwner, { body })).data,
}

export async function tryMail(to: string): Promise<DataOf<Rows['sendTestMail']>> {
  return (await callRoute(sendTestMail, { body: { to } })).data
}

export const openWithQuotas: Change<BodyOf<Rows['openMarkets']>> = {
  changes: 'markets_opened',
  send: (body) => callRoute(openMarkets, { body }),
}
