import type { SessionStep, UserLevel, UserStatus } from '@megalot/contract'

/** The user who makes a call, as identified by the session. */
export interface Caller {
  user_id: number
  session_id: number
  username: string
  level: UserLevel
  is_office: boolean
  /** The strictest of the caller's own status and those of all its uplines, at the moment of the call. */
  status: UserStatus
  /** What the session lacks, in the order in which it has to be done; empty: the session is complete. */
  pending_steps: readonly SessionStep[]
  /** Whether the user has a second factor. */
  has_factor: boolean
  /** How long ago a second factor was verified in this session, in ms, by the database's clock; null: it was not. */
  factor_age_ms: number | null
  /**
   * Found in the cache, not verified with this call: the transaction that acts for the caller must verify the session.
   */
  is_cached?: true
}

/** The session of a caller for whom the application itself acts: complete, of a user without a second factor. */
export const completeSessionFields = { pending_steps: [], has_factor: false, factor_age_ms: null } as const

/** Everybody but members works with the console. */
export function hasConsoleAccess({ level }: Pick<Caller, 'level'>): boolean {
  return level !== 'member'
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
