// Limits what read-only database sessions can block. PostgreSQL lets every log-in listen and notify. A session that
// listens within an open transaction keeps all later notifications in the queue. Once the queue is full, no notifying
// transaction can commit: no bet, no log-in, no close. Every log-in can also assign its transaction an id, and the
// integrity check and the exposure pass no mark before the oldest such transaction has ended. So readers' sessions that
// do either are ended, as are those that keep dead rows for very long.

import type { Db } from '../../postgres/db.ts'
import { notificationQueueRatio } from '../../lib/metrics.ts'
import { deferAudits, writeDeferredAudits } from '../../changes/audit/index.ts'
import { type EndedReader, endOffenders, hasOffenders, readQueueRatio } from './readers.store.ts'

/**
 * From this share of the queue on, readers' transactions are ended. Ordinary notifications are read within
 * milliseconds, so the queue is normally empty.
 */
const END_FROM_RATIO = 0.01
/**
 * The age from which they are ended. One session needs about a minute to fill the default 8 GB of the queue; one that
 * always starts again keeps only what was sent within this time and the interval of this check.
 */
const LONGEST_MS = 10_000
/** How long a reader may hold a snapshot, in ms; reports that take longer belong on a standby. */
const LONGEST_SNAPSHOT_MS = 30 * 60_000

export interface ReaderWatch {
  /** Called with the ended sessions, before they are in the audit log. */
  onEnded: (readers: readonly EndedReader[]) => void
  longestMs?: number
  longestSnapshotMs?: number
}

/** Measures how full the notification queue is, and ends readers' sessions that block others. */
export async function watchReaders(
  owner: Db,
  { onEnded, longestMs = LONGEST_MS, longestSnapshotMs = LONGEST_SNAPSHOT_MS }: ReaderWatch,
): Promise<void> {
  const ratio = await readQueueRatio(owner)
  notificationQueueRatio.set(ratio)
  const limits = { isQueueFilling: ratio >= END_FROM_RATIO, longestMs, longestSnapshotMs }
  if (!(await hasOffenders(owner, limits))) return
  await owner.transaction().execute(async (tx) => {
    const readers = await endOffenders(tx, limits)
    if (readers.length === 0) return
    onEnded(readers)
    notificationQueueRatio.set(await readQueueRatio(tx))
    const log_ins = [...new Set(readers.map(({ log_in }) => log_in))]
    await deferAudits(
      tx,
      log_ins.map((log_in) => {
        const ended = readers.filter((reader) => reader.log_in === log_in)
        const after = {
          session_count: ended.length,
          longest_seconds: Math.round(Math.max(...ended.map(({ open_ms }) => open_ms)) / 1_000),
          offences: [...new Set(ended.map(({ offence }) => offence))].toSorted(),
          queue_percent: Math.round(ratio * 100),
        }
        return { actor_id: null, action: 'end_reader_sessions', subject: `database_log_in:${log_in}`, after }
      }),
    )
  })
  await writeDeferredAudits(owner)
}
