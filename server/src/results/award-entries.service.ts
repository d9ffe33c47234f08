// The entries of a result or its correction, as shown to the office: both only once they differ, the caller's own at
// any time.

import type { AwardEntries } from '@megalot/contract'
import type { Db } from '../postgres/db.ts'
import { isOnePerson } from '../changes/index.ts'
import { getPeriodRecord } from '../markets/index.ts'
import { findAwardEntries } from './award-entries.store.ts'

/** @throws Refusal unknown_period */
export async function getAwardEntries(db: Db, actor_id: number, period_code: string): Promise<AwardEntries> {
  const { period_id, outcome } = await getPeriodRecord(db, period_code)
  const isPaid = outcome === 'settled'
  const { award, correction } = await findAwardEntries(db, period_id)
  const isCorrection = isPaid || correction !== undefined
  const pair = isCorrection ? correction : award
  const isLocked = pair?.state === 'locked'
  const isOwn = pair !== undefined && pair.entered_by_id === actor_id
  return {
    period_code,
    kind: isCorrection ? 'correction' : 'award',
    state: pair?.state ?? 'none',
    entered_by: pair?.entered_by ?? null,
    repeated_by: pair?.repeated_by ?? null,
    is_own: isOwn,
    needs_other:
      pair?.state === 'entered' && pair.entered_by_id !== null && (await isOnePerson(db, pair.entered_by_id, actor_id)),
    reason: pair?.reason ?? null,
    own_result: isOwn ? pair.result : null,
    entries: isLocked && pair.repeated_result ? { first: pair.result, repeated: pair.repeated_result } : null,
    paid_result: isPaid ? (award?.result ?? null) : null,
  }
}
