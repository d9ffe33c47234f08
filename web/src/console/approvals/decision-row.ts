// Rows of what waits for a second person, and of what has been decided.

import type { Approval, WaitingDecision } from '@megalot/contract'
import type { Verdict } from './queries.ts'
import { nameSubject } from './subject-name.ts'
import type { SubjectWords } from './subject-name.ts'

/** What waits, and what has been decided, in one form. */
export interface DecisionRow extends WaitingDecision {
  key: string
  /** What it concerns. */
  subject: string
}

export function rowOf(decision: WaitingDecision, words: SubjectWords): DecisionRow {
  const { approval, order_id, period_code, kind } = decision
  const key = `${kind} ${approval?.approval_id ?? order_id ?? period_code}`
  return { ...decision, key, subject: nameSubject(decision, words) }
}

export function rowOfApproval(approval: Approval, words: SubjectWords): DecisionRow {
  const decision = {
    kind: approval.kind,
    approval,
    order_id: null,
    period_code: null,
    product_code: approval.product_code,
    order: null,
    is_locked: false,
    begun_by: approval.proposed_by,
    begun_at: approval.proposed_at,
    expires_at: approval.expires_at,
    reason: approval.reason,
    may_decide: false,
    may_withdraw: false,
  }
  return rowOf(decision, words)
}

/** What one person may do with what waits. */
export function verdictsOf({ may_decide, may_withdraw, kind }: WaitingDecision): readonly Verdict[] {
  if (kind === 'award' || kind === 'award_correction') return []
  // A period is voided, or its request expires.
  if (kind === 'void_period') return may_decide ? ['approve'] : []
  return [...(may_decide ? (['approve', 'reject'] as const) : []), ...(may_withdraw ? (['withdraw'] as const) : [])]
}
