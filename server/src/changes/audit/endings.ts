// Actions that end two-person decisions.

/** The action that began what each of these ends. */
export const beginningOf = {
  approve_approval: 'propose_approval',
  reject_approval: 'propose_approval',
  withdraw_approval: 'propose_approval',
  award_agreed: 'award_entered',
  award_locked: 'award_entered',
  award_reset: 'award_entered',
  award_correction_agreed: 'award_correction_entered',
  award_correction_locked: 'award_correction_entered',
  award_correction_reset: 'award_correction_entered',
} as const

export type EndingAction = keyof typeof beginningOf

export interface DecisionsPart {
  actions: readonly EndingAction[]
  /** For proposals, only these kinds. */
  approval_kinds: readonly string[]
  /** Only rows before this one, in microseconds since 1970 and by id. */
  before: { at_us: number; id: number } | null
  limit: number
  /** Only what this user began, and what ended in the last days and after an instant. */
  of?: { actor_id: number; days: number; after_us: number } | undefined
}

export interface LoggedDecision {
  audit_id: number
  at_us: number
  at: Date
  action: EndingAction
  subject: string
  actor_id: number
  reason: string | null
  /** Who began it; null if the log does not know. */
  begun_by: number | null
  begun_at: Date | null
  begun_reason: string | null
}
