// Calls of the pages around the log-in: the log-in page does not load them.

import type { BodyOf, Rows } from '@megalot/contract'
import { forgotPassword, register as registerRoute, resetPassword, verifyEmail } from '@megalot/contract/browser'
import { callRoute } from '../../lib/api/http-client.ts'
import { openSession, useSession } from '../../lib/session/session-store.ts'
import { restoreUser } from '../../lib/user/current-user.ts'
import type { ProofAnswer } from './use-captcha.ts'

/** Becomes a member, and is logged in with it. `is_open` is false where the new session was ended at once. */
export async function register(
  body: BodyOf<Rows['register']>,
): Promise<{ is_open: boolean; is_easy_to_guess: boolean }> {
  const { sessionId: sessionToken, is_easy_to_guess } = await callRoute(registerRoute, { body })
  openSession(sessionToken)
  await restoreUser()
  return { is_open: useSession.getState().session_token !== null, is_easy_to_guess }
}

/**
 * @param identifier a username, or a mail address, which has an @
 * @param proof sent after a refusal with `log_in_paused`
 */
export async function askForPassword(identifier: string, proof?: ProofAnswer): Promise<void> {
  const asked = identifier.includes('@') ? { email: identifier } : { username: identifier }
  await callRoute(forgotPassword, { body: { ...asked, ...proof } })
}

export async function verifyAddress(body: BodyOf<Rows['verifyEmail']>): Promise<void> {
  await callRoute(verifyEmail, { body })
}

/** @returns whether the new password is easy to guess */
export async function setNewPassword(body: BodyOf<Rows['resetPassword']>): Promise<boolean> {
  return (await callRoute(resetPassword, { body })).is_easy_to_guess
}
