// Actions that end the entries of a result by two people.

/** The action that began what each of these ends. */
export const beginningOf = {
  award_agreed: 'award_entered',
  award_locked: 'award_entered',
  award_reset: 'award_entered',
  award_correction_agreed: 'award_correction_entered',
  award_correction_locked: 'award_correction_entered',
  award_correction_reset: 'award_correction_entered',
} as const

export type EndingAction = keyof typeof beginningOf

/** A position in a list by time: in microseconds since 1970, and by id. */
export interface TimeCursor {
  at_us: number
  id: number
}

export interface LoggedDecision {
  audit_id: number
  at_us: number
  at: Date
  action: EndingAction
  period_code: string
  actor_id: number
  reason: string | null
  /** Who began it; null if the log does not know. */
  begun_by: number | null
  begun_at: Date | null
  begun_reason: string | null
}
