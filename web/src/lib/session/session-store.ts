import type { SessionStep, User } from '@megalot/contract'
import { create } from 'zustand'
import { persist } from 'zustand/middleware'
import type { PersistStorage } from 'zustand/middleware'
import { deviceStorage, keepOnDevice } from '../device/device-storage.ts'
import { readStored, textForm, writeStored } from '../device/stored-value.ts'
import { ANNOUNCEMENT_KEY, LEAVE_REASON_KEY, SESSION_KEY, SESSION_KEY_PREFIX } from '../device/storage-keys.ts'

interface StoredSession {
  session_token: string | null
  /** Whose session this is; known on this device also while the server cannot be asked. */
  user_id: number | null
  /** The current user; known only after the server has answered for this session. */
  user: User | null
  /** Why the session before ended, for the log-in page to show, in the server's words. */
  leave_reason: string | null
  /** The open log-in step of the session; null if none or unknown. */
  pending_step: SessionStep | null
  /** The user asked to log out, and the server has not answered yet. */
  is_logging_off: boolean
  /** The server may have ended the token already, and has not answered with the next one yet. */
  is_renewing: boolean
}

type KeptSession = Pick<StoredSession, 'session_token' | 'user_id'>

const onDevice = deviceStorage<KeptSession>()

/** The device keeps a session while there is one: nothing of it is left after the log-out. */
const storageWhileOpen: PersistStorage<KeptSession> = {
  ...onDevice,
  setItem: (name, value) => {
    if (value.state.session_token === null) removeSessionKeys()
    else void onDevice.setItem(name, value)
  },
}

/** Also the names that other versions of the application use. */
function removeSessionKeys(): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith(SESSION_KEY_PREFIX)) localStorage.removeItem(key)
}

export const useSession = create<StoredSession>()(
  persist(
    (): StoredSession => ({
      session_token: null,
      user_id: null,
      user: null,
      leave_reason: readLeaveReason(),
      pending_step: null,
      is_logging_off: false,
      is_renewing: false,
    }),
    {
      name: SESSION_KEY,
      storage: storageWhileOpen,
      partialize: ({ session_token, user_id }) => ({ session_token, user_id }),
    },
  ),
)

/** Stored apart from the session, so that other tabs, which are logged out with this one, show it as well. */
function readLeaveReason(): string | null {
  return readStored(textForm, LEAVE_REASON_KEY)
}

function keepLeaveReason(reason: string | null): void {
  if (reason === null) localStorage.removeItem(LEAVE_REASON_KEY)
  else keepOnDevice(LEAVE_REASON_KEY, writeStored(textForm, reason))
}

export function openSession(session_token: string): void {
  keepLeaveReason(null)
  removeSessionKeys()
  useSession.setState({ session_token, user_id: null, user: null, leave_reason: null, pending_step: null })
}

/** The same session with the token that it got when a second factor completed it. */
export function renewSessionToken(session_token: string): void {
  useSession.setState({ session_token, pending_step: null })
}

/** The server refuses everything until the session's user has done this. */
export function notePendingStep(pending_step: SessionStep): void {
  useSession.setState({ pending_step })
}

export function keepUser(user: User): void {
  useSession.setState({ user_id: user.user_id, user })
}

/** The user asks to log out: whatever ends the session from now on, no reason is shown and nobody is led back. */
export function noteLogOff(): void {
  useSession.setState({ is_logging_off: true })
}

/**
 * Removes the log-in from this device. Draft slips are not part of it: they wait for the same member to return.
 * While the user logs out, another call may be refused with 401 before the log-out is answered: its reason is dropped.
 */
export function closeSession(reason: string | null): void {
  const leave_reason = useSession.getState().is_logging_off ? null : reason
  localStorage.removeItem(ANNOUNCEMENT_KEY)
  // First: other tabs read it when the session is gone.
  keepLeaveReason(leave_reason)
  useSession.setState({
    session_token: null,
    user_id: null,
    user: null,
    leave_reason,
    pending_step: null,
    is_logging_off: false,
  })
}

export function clearLeaveReason(): void {
  keepLeaveReason(null)
  useSession.setState({ leave_reason: null })
}

/** Another tab that logs in or out changes this tab too. */
export function followOtherTabs(): void {
  window.addEventListener('storage', (event) => {
    if (event.key !== SESSION_KEY) return
    const before = useSession.getState().session_token
    if (event.newValue === null)
      useSession.setState({ session_token: null, user_id: null, user: null, leave_reason: readLeaveReason() })
    else void useSession.persist.rehydrate()
    const { session_token } = useSession.getState()
    if (session_token !== before)
      useSession.setState({ user: null, pending_step: null, ...(session_token === null ? {} : { leave_reason: null }) })
  })
}
