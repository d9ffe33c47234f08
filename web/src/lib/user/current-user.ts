import type { SessionStep, User } from '@megalot/contract'
import { getBasicUser } from '@megalot/contract/browser'
import { callRoute } from '../api/http-client.ts'
import { useOffline } from '../session/offline-store.ts'
import { PUSH_KEY } from '../device/storage-keys.ts'
import { readStoredText } from '../device/stored-value.ts'
import { currentLanguage } from '../i18n/language-store.ts'
import { toRefusal } from '../errors/refusal.ts'
import type { FailureCode } from '../errors/refusal.ts'
import { closeSession, keepUser, notePendingStep, useSession } from '../session/session-store.ts'

/** Between a failed user fetch and the log-in page. */
export const LEAVE_DELAY_MS = 100

export function delay(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds)
  })
}

/** The open log-in step of a session whose user may not be read yet. */
const stepsOfRefusals: Partial<Record<FailureCode, SessionStep>> = {
  second_factor_needed: 'second_factor',
  password_change_needed: 'new_password',
}

let restoring: { session_token: string; user: Promise<User | null> } | null = null

/**
 * The user of the stored session, fetched once, however many ask for it at the same time. A session that lacks a step is
 * kept, and its step noted (`pending_step`). Any other answer but a user ends the stored session; what answered 401 has
 * ended it already, with the server's reason. No answer says nothing about the session: it is kept (`isOffline`), because
 * a call is also cut off by an outage, or by leaving the page.
 */
export async function restoreUser(): Promise<User | null> {
  const { session_token, user } = useSession.getState()
  if (session_token === null) return null
  if (user !== null) return user
  if (restoring?.session_token !== session_token) restoring = { session_token, user: fetchUser(session_token) }
  const asked = restoring
  try {
    return await asked.user
  } finally {
    if (restoring === asked) restoring = null
  }
}

async function fetchUser(session_token: string): Promise<User | null> {
  useOffline.setState({ isOffline: false })
  try {
    const reply = await callRoute(getBasicUser, {})
    if (reply.status.code === 200 && reply.data) {
      keepUser(reply.data)
      followPush(reply.data.user_id)
      return reply.data
    }
    closeSession(null)
  } catch (error) {
    const refusal = toRefusal(error)
    // During maintenance nobody is known, and nobody is logged out.
    if (refusal.code === 'maintenance') return null
    const pending_step = stepsOfRefusals[refusal.code]
    if (pending_step !== undefined) {
      notePendingStep(pending_step)
      return null
    }
    // By the specification a success that names no user ends the session.
    if (refusal.code === 'no_reply' && refusal.http !== 200) {
      useOffline.setState({ isOffline: true })
      return null
    }
    if (useSession.getState().session_token === session_token) closeSession(refusal.message || null)
  }
  return null
}

/** Pushes on this browser are for its last member alone, also after a session that ended without a log-out. */
function followPush(user_id: number): void {
  if (readStoredText(PUSH_KEY) === null) return
  import('./push.ts').then(
    ({ renewPush }) => renewPush(user_id, currentLanguage()),
    () => {},
  )
}

/** Only members bet and see rates. */
export function isBettor(): boolean {
  return useSession.getState().user?.level === 'member'
}
