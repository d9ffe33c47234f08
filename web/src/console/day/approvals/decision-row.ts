// Rows of requests that need a second approval, and of decided ones.

import type { ApprovalPerson, DecidedDecision, Permission, WaitingDecision } from '@megalot/contract'
import type { Verdict } from './queries.ts'
import { nameSubject } from './subject-name.ts'
import type { SubjectWords } from './subject-name.ts'

/** A pending or decided request in one shape. */
export interface DecisionRow extends Omit<WaitingDecision, 'begun_by' | 'begun_at'> {
  key: string
  /** The subject. */
  subject: string
  /** Null where it is not known. */
  begun_by: ApprovalPerson | null
  begun_at: string | null
  /** How it ended; null while it waits. */
  decided: DecidedDecision | null
}

export function rowOf(decision: WaitingDecision, words: SubjectWords): DecisionRow {
  const { approval, period_code, kind } = decision
  const key = `${kind} ${approval?.approval_id ?? period_code}`
  return { ...decision, key, subject: nameSubject(decision, words), decided: null }
}

export function rowOfDecided(decided: DecidedDecision, words: SubjectWords): DecisionRow {
  const { cursor, kind, approval, period_code, product_code, begun_by, begun_at, begun_reason } = decided
  return {
    key: cursor,
    subject: nameSubject(decided, words),
    kind,
    approval,
    period_code,
    product_code,
    is_locked: false,
    begun_by,
    begun_at,
    expires_at: null,
    reason: begun_reason,
    may_decide: false,
    may_withdraw: false,
    decided,
  }
}

/** Whether it is a result, which the second person enters on its own page. */
export function isOfResult({ kind }: Pick<WaitingDecision, 'kind'>): boolean {
  return kind === 'award' || kind === 'award_correction'
}

/** The actions of one person on a pending request. */
export function verdictsOf(row: Pick<WaitingDecision, 'kind' | 'may_decide' | 'may_withdraw'>): readonly Verdict[] {
  if (isOfResult(row)) return []
  return [
    ...(row.may_decide ? (['approve', 'reject'] as const) : []),
    ...(row.may_withdraw ? (['withdraw'] as const) : []),
  ]
}

/**
 * What may be done with a result that waits: enter it as the second person, or compare two entries that differ. Null of anything
 * else, for who may not, and for who has entered it.
 */
export function resultActionOf(
  row: Pick<WaitingDecision, 'kind' | 'is_locked' | 'may_decide'>,
  permissions: readonly Permission[],
): 'to_results' | 'to_entries' | null {
  if (!isOfResult(row) || !permissions.includes('results.do')) return null
  if (row.is_locked) return 'to_entries'
  return row.may_decide ? 'to_results' : null
}
