import type { UserLevel, UserStatus } from '@megalot/contract'

/** Who makes a call, as the session tells. */
export interface Caller {
  user_id: number
  session_id: number
  username: string
  level: UserLevel
  is_office: boolean
  /** The strictest of the caller's own status and those of all its uplines, at the moment of the call. */
  status: UserStatus
}
