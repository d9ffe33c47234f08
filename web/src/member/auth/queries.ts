import { logIn as logInRoute } from '@megalot/contract/browser'
import { restoreUser } from '../../lib/user/current-user.ts'
import { callRoute } from '../../lib/api/http-client.ts'
import { notePendingStep, openSession, useSession } from '../../lib/session/session-store.ts'

/** The answer to a captcha: the characters of the picture, or the solution of the proof of work. */
export type CaptchaAnswer = { request_id: string } & ({ captcha_txt: string } | { captcha_proof: string })

/**
 * What a log-in leads to. `steps`: a second factor or a password of one's own is awaited; `enrolment`: the user must set up a
 * second factor before it changes anything; `ended`: the session was ended, with the reason that the store holds.
 */
export type LogInOutcome = 'complete' | 'steps' | 'enrolment' | 'ended'

/** Logs in and fetches the user of the new session, where the session lacks no step. */
export async function logIn(who: { username: string; password: string }, answer: CaptchaAnswer): Promise<LogInOutcome> {
  const { sessionId: sessionToken, session } = await callRoute(logInRoute, { body: { ...who, ...answer } })
  openSession(sessionToken)
  if (session.must_verify_factor || session.must_change_password) {
    notePendingStep(session.must_verify_factor ? 'second_factor' : 'new_password')
    return 'steps'
  }
  await restoreUser()
  // Without a reply the session is kept, and the next page shows the failure.
  if (useSession.getState().session_token === null) return 'ended'
  return session.must_enrol ? 'enrolment' : 'complete'
}
