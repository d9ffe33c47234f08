// Metrics of the integrity check: each node reports the database's state, whichever node ran the check.

import type { Db } from '../../postgres/db.ts'
import { auditorTimestamp, brokenInvariants, unsentAlarms } from '../../lib/metrics.ts'
import { countUnsent } from './alarms.store.ts'
import { readState } from './auditor-state.store.ts'
import { listOpenViolations } from './breaks.store.ts'
import { invariantCodes } from './invariants.ts'

export async function readIntegrityMetrics(db: Db): Promise<void> {
  const open = new Set((await listOpenViolations(db)).map(({ invariant }) => invariant))
  for (const invariant of invariantCodes) brokenInvariants.set({ invariant }, open.has(invariant) ? 1 : 0)
  const { ran_at, whole_ended_at } = await readState(db)
  auditorTimestamp.set({ check: 'changes' }, (ran_at?.getTime() ?? 0) / 1_000)
  auditorTimestamp.set({ check: 'everything' }, (whole_ended_at?.getTime() ?? 0) / 1_000)
  unsentAlarms.set(await countUnsent(db))
}
