import type { User } from '@megalot/contract'
import { create } from 'zustand'
import { persist } from 'zustand/middleware'
import { ANNOUNCEMENT_KEY, SESSION_KEY } from './storage-keys.ts'

/** The server did not answer who this is. */
export const NO_REPLY = 'no_reply'

interface SessionState {
  session_id: string | null
  /** Whose session this is; known on this device also while the server cannot be asked. */
  user_id: number | null
  /** The current user; known only after the server has answered for this session. */
  user: User | null
  /** Why the session before ended, for the log-in page to show: in the server's words, or `NO_REPLY`. */
  leave_reason: string | null
}

export const useSession = create<SessionState>()(
  persist((): SessionState => ({ session_id: null, user_id: null, user: null, leave_reason: null }), {
    name: SESSION_KEY,
    // The reason too: a tab that follows this one out of the product shows it as well.
    partialize: ({ session_id, user_id, leave_reason }) => ({ session_id, user_id, leave_reason }),
  }),
)

export function openSession(session_id: string): void {
  useSession.setState({ session_id, user_id: null, user: null, leave_reason: null })
}

export function keepUser(user: User): void {
  useSession.setState({ user_id: user.user_id, user })
}

/** Forgets the log-in on this device. Draft slips are not part of it: they wait for the same member to return. */
export function closeSession(leave_reason: string | null): void {
  localStorage.removeItem(ANNOUNCEMENT_KEY)
  useSession.setState({ session_id: null, user_id: null, user: null, leave_reason })
}

export function clearLeaveReason(): void {
  useSession.setState({ leave_reason: null })
}

/** Another tab that logs in or out changes this tab too. */
export function followOtherTabs(): void {
  window.addEventListener('storage', (event) => {
    if (event.key !== SESSION_KEY) return
    const before = useSession.getState().session_id
    void useSession.persist.rehydrate()
    if (useSession.getState().session_id !== before) useSession.setState({ user: null })
  })
}
