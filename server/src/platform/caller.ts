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
  /** Looked at a moment ago, not with this call: the deed must look whether the session still holds. */
  is_recalled?: true
}

/** Whether a person is in a caller's sight: itself, whoever is below it, and for the office everybody (§8 of the domain rules). */
export function mayReach(
  caller: Pick<Caller, 'user_id' | 'is_office'>,
  person: { user_id: number; upline_ids: readonly number[] },
): boolean {
  return caller.is_office || caller.user_id === person.user_id || person.upline_ids.includes(caller.user_id)
}

/** A deed has found that a recalled caller may not call any more, or cannot tell. Nothing was done. */
export class CallerUnsure extends Error {}
