import { forgotPassword, logIn as logInRoute, register as registerRoute, resetPassword } from '@megalot/contract'
import type { BodyOf } from '@megalot/contract'
import { restoreUser } from '../../lib/user/current-user.ts'
import { callRoute } from '../../lib/api/http-client.ts'
import { openSession } from '../../lib/session/session-store.ts'

/** The answer to a captcha: the characters of the picture, or the solution of the proof of work. */
export type CaptchaAnswer = { request_id: string } & ({ captcha_txt: string } | { captcha_proof: string })

/** Logs in and fetches the user of the new session; false where that user could not be read. */
export async function logIn(who: { username: string; password: string }, answer: CaptchaAnswer): Promise<boolean> {
  const { sessionId } = await callRoute(logInRoute, { body: { ...who, ...answer } })
  openSession(sessionId)
  return (await restoreUser()) !== null
}

/** Becomes a member, and is logged in with it. */
export async function register(body: BodyOf<typeof registerRoute>): Promise<boolean> {
  const { sessionId } = await callRoute(registerRoute, { body })
  openSession(sessionId)
  return (await restoreUser()) !== null
}

export async function askForLink(email: string): Promise<void> {
  await callRoute(forgotPassword, { body: { email } })
}

export async function setNewPassword(body: BodyOf<typeof resetPassword>): Promise<void> {
  await callRoute(resetPassword, { body })
}
