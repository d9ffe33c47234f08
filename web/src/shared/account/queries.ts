import type { BodyOf, Rows } from '@megalot/contract'
import {
  changeEmail,
  changePassword,
  getEmail,
  getPlayLimits,
  setPlayLimit,
  takeBreak,
} from '@megalot/contract/browser'
import { queryOptions } from '@tanstack/react-query'
import { queryKeys } from '../../lib/api/query-keys.ts'
import { callRoute } from '../../lib/api/http-client.ts'
import { queryClient } from '../../lib/api/query-client.ts'
import { toRefusal } from '../../lib/errors/refusal.ts'
import { closeSession, renewSessionToken, useSession } from '../../lib/session/session-store.ts'

/** The member's mail address, and the one that waits for its link. */
export const emailQuery = queryOptions({
  queryKey: queryKeys.user.part('email'),
  queryFn: async ({ signal }) => (await callRoute(getEmail, { signal })).data,
})

export async function saveEmail(body: BodyOf<Rows['changeEmail']>): Promise<void> {
  queryClient.setQueryData(emailQuery.queryKey, (await callRoute(changeEmail, { body })).data)
}

/**
 * Changes the password; the session goes on under a new token. A 401 of another call meanwhile does not end it: that call was made with the
 * earlier token.
 * @returns whether the new password is easy to guess
 */
export async function savePassword(body: BodyOf<Rows['changePassword']>): Promise<boolean> {
  useSession.setState({ is_renewing: true })
  try {
    const { sessionId, is_easy_to_guess } = await callRoute(changePassword, { body })
    renewSessionToken(sessionId)
    return is_easy_to_guess
  } catch (error) {
    const { http, message } = toRefusal(error)
    if (http === 401) closeSession(message)
    throw error
  } finally {
    useSession.setState({ is_renewing: false })
  }
}

/** The member's own limits. */
export const limitsQuery = queryOptions({
  queryKey: queryKeys.orders.playLimits,
  queryFn: async ({ signal }) => (await callRoute(getPlayLimits, { signal })).data,
})

export async function saveLimit(body: BodyOf<Rows['setPlayLimit']>): Promise<void> {
  queryClient.setQueryData(limitsQuery.queryKey, (await callRoute(setPlayLimit, { body })).data)
}

export async function beginBreak(body: BodyOf<Rows['takeBreak']>): Promise<void> {
  queryClient.setQueryData(limitsQuery.queryKey, (await callRoute(takeBreak, { body })).data)
}
