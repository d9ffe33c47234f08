// What sessions of the database that only read can keep from everybody. PostgreSQL lets each log-in listen and notify: a session that
// listens within an open transaction keeps all that was sent since, and once the queue is full no transaction that notifies commits: no
// bet, no log-in, no close. It lets each log-in give its transaction a number, too: the auditor and the book pass no mark before the oldest
// one with a number has ended. So sessions of readers that do either are ended, and those that keep dead rows for very long.

import type { Db } from '../../postgres/db.ts'
import { notificationQueueRatio } from '../../lib/metrics.ts'
import { deferAudits, writeDeferredAudits } from '../../changes/audit/index.ts'
import { type EndedReader, endOffenders, hasOffenders, readQueueRatio } from './readers.store.ts'

/**
 * From so much of the queue on transactions of readers are ended. Ordinary news are read within milliseconds: the queue is as good as empty.
 */
const END_FROM_RATIO = 0.01
/**
 * The age from which on they are, in ms. One session needs about a minute to fill the 8 GB that the queue has by default; who begins anew
 * each time keeps what was sent within this time and the pause between two readings.
 */
const LONGEST_MS = 10_000
/** How long a reader may have a snapshot, in ms: a long report takes minutes, and belongs on a standby. */
const LONGEST_SNAPSHOT_MS = 30 * 60_000

export interface ReaderWatch {
  /** Called with the sessions that were ended, before the audit log says it. */
  onEnded: (readers: readonly EndedReader[]) => void
  longestMs?: number
  longestSnapshotMs?: number
}

/** Shows how full the queue of notifications is, and ends the sessions of readers that keep something from others. */
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
