import type { SessionListing } from '@megalot/contract'
import {
  endDownlineSessions,
  endStaffSessions,
  listDownlineSessions,
  listSessions,
  listStaffSessions,
} from '@megalot/contract/browser'
import { infiniteQueryOptions } from '@tanstack/react-query'
import { callRoute } from '../../lib/api/http-client.ts'
import { queryKeys } from '../../lib/api/query-keys.ts'
import type { Change } from '../../lib/api/use-change.ts'

const PART_SIZE = '50'

/** The sessions listed: the caller's own, the downline's, or the staff's. */
export type SessionScope = 'own' | 'staff' | 'downline'

const routes = { own: listSessions, staff: listStaffSessions, downline: listDownlineSessions } as const

export const sessionsQuery = (scope: SessionScope) =>
  infiniteQueryOptions({
    queryKey: queryKeys.sessions.list(scope),
    queryFn: async ({ pageParam: page, signal }) =>
      (await callRoute(routes[scope], { query: { page: String(page), ipp: PART_SIZE }, signal })).data,
    initialPageParam: 0,
    getNextPageParam: (part: readonly SessionListing[], _parts, page) =>
      part.length < Number(PART_SIZE) ? undefined : page + 1,
  })

/** Ends the sessions of a user of the caller's staff or downline, who may log in again. */
export const endSessionsOf: Change<{ scope: Exclude<SessionScope, 'own'>; user_id: number; reason: string }> = {
  changes: 'sessions_ended',
  waits: true,
  send: async ({ scope, user_id, reason }) => {
    const call = { params: { user_id: String(user_id) }, body: { reason } }
    await (scope === 'staff' ? callRoute(endStaffSessions, call) : callRoute(endDownlineSessions, call))
  },
}
