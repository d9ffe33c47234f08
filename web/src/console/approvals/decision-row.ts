// Rows of what waits for a second person, and of what has been decided.

import type { Approval, WaitingDecision } from '@megalot/contract'
import type { Verdict } from './queries.ts'

/** What waits, and what has been decided, in one form. */
export interface DecisionRow extends WaitingDecision {
  key: string
  /** What it concerns. */
  subject: string
}

export function rowOf(decision: WaitingDecision): DecisionRow {
  const { approval, order_id, period_code, kind } = decision
  const subject = approval?.subject ?? (order_id === null ? (period_code ?? '') : `#${order_id}`)
  return { ...decision, key: `${kind} ${approval?.approval_id ?? subject}`, subject }
}

export function rowOfApproval(approval: Approval): DecisionRow {
  return rowOf({
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
  })
}

/** What one person may do with what waits. */
export function verdictsOf({ approval, may_decide, kind }: WaitingDecision): readonly Verdict[] {
  if (kind === 'award' || kind === 'award_correction') return []
  if (approval === null) return may_decide ? ['approve'] : []
  return [
    ...(approval.may_decide ? (['approve', 'reject'] as const) : []),
    ...(approval.may_withdraw ? (['withdraw'] as const) : []),
  ]
}
