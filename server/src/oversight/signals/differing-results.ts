// Whose result entries differed from the other person's, and whose were not the final result.

import type { DrawResult } from '@megalot/rules'
import { isSameResult } from '../../results/index.ts'
import type { AwardEntryRow } from './signals.store.ts'
import { thresholds } from './thresholds.ts'

export interface DifferingEntrant {
  user_id: number
  entry_count: number
  differing_count: number
  wrong_count: number
  /** Latest first. */
  period_codes: string[]
  first_at: Date
  last_at: Date
}

/** Both people of each differing pair, right or wrong, the one with the most differences first. */
export function listDiffering(entries: readonly AwardEntryRow[]): DifferingEntrant[] {
  const found = new Map<number, DifferingEntrant>()
  const note = (user_id: number, { at, period_code, agreed }: AwardEntryRow, result: DrawResult): void => {
    const known = found.get(user_id)
    const wrong = agreed !== null && !isSameResult(agreed, result) ? 1 : 0
    found.set(user_id, {
      user_id,
      entry_count: entries.filter(({ actor_id }) => actor_id === user_id).length,
      differing_count: (known?.differing_count ?? 0) + 1,
      wrong_count: (known?.wrong_count ?? 0) + wrong,
      period_codes: [...new Set([period_code, ...(known?.period_codes ?? [])])],
      first_at: known?.first_at ?? at,
      last_at: at,
    })
  }
  for (const entry of entries) {
    if (entry.state !== 'locked') continue
    note(entry.actor_id, entry, entry.result)
    if (entry.first !== null) note(entry.first.actor_id, entry, entry.first.result)
  }
  return [...found.values()]
    .filter(({ differing_count }) => differing_count >= thresholds.differing_results.least_differing)
    .toSorted((one, other) => other.differing_count - one.differing_count || one.user_id - other.user_id)
}
