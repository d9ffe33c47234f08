import type { UserLevel, UserStatus } from '@megalot/contract'

/** The user who makes a call, as identified by the session. */
export interface Caller {
  user_id: number
  session_id: number
  username: string
  level: UserLevel
  is_office: boolean
  /** The strictest of the caller's own status and those of all its uplines, at the moment of the call. */
  status: UserStatus
  /**
   * Found in the cache, not verified with this call: the transaction that acts for the caller must verify the session.
   */
  is_cached?: true
}

/**
 * Whether a caller may access a user: itself, everybody below it, and for the office everybody (§8 of the domain
 * rules).
 */
export function canAccess(
  caller: Pick<Caller, 'user_id' | 'is_office'>,
  person: { user_id: number; upline_ids: readonly number[] },
): boolean {
  return caller.is_office || caller.user_id === person.user_id || person.upline_ids.includes(caller.user_id)
}
