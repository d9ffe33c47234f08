// The queue of notifications, which every database of the server shares. PostgreSQL lets each log-in listen and notify. A session that
// listens within an open transaction keeps all that was sent since, and once the queue is full no transaction that notifies commits: no
// bet, no log-in, no close. A log-in that only reads can do that on purpose, so its sessions are ended before the queue is full.

import type { Db } from '../../platform/db.ts'
import { notificationQueueRatio } from '../../platform/metrics.ts'
import { writeAudits } from '../audit/index.ts'
import { type EndedReader, endLongReaders, readQueueRatio } from './notification-queue.store.ts'

/**
 * From so much of the queue on transactions of readers are ended. Ordinary news are read within milliseconds: the queue is as good as empty.
 */
const END_FROM_RATIO = 0.01
/**
 * The age from which on they are, in ms. One session needs about a minute to fill the 8 GB that the queue has by default; who begins anew
 * each time keeps what was sent within this time and the pause between two readings.
 */
const LONGEST_MS = 10_000

export interface QueueWatch {
  /** Called with the sessions that were ended, before the audit log says it. */
  onEnded: (readers: readonly EndedReader[]) => void
  longestMs?: number
}

/** Shows how full the queue is, and ends who keeps it and only reads. */
export async function watchNotificationQueue(
  owner: Db,
  { onEnded, longestMs = LONGEST_MS }: QueueWatch,
): Promise<void> {
  const ratio = await readQueueRatio(owner)
  notificationQueueRatio.set(ratio)
  if (ratio < END_FROM_RATIO) return
  await owner.transaction().execute(async (tx) => {
    const readers = await endLongReaders(tx, longestMs)
    if (readers.length === 0) return
    onEnded(readers)
    notificationQueueRatio.set(await readQueueRatio(tx))
    const log_ins = [...new Set(readers.map(({ log_in }) => log_in))]
    await writeAudits(
      tx,
      log_ins.map((log_in) => {
        const open_ms = readers.filter((reader) => reader.log_in === log_in).map((reader) => reader.open_ms)
        const after = {
          session_count: open_ms.length,
          longest_seconds: Math.round(Math.max(...open_ms) / 1_000),
          queue_percent: Math.round(ratio * 100),
        }
        return { actor_id: null, action: 'end_reader_sessions', subject: `database_log_in:${log_in}`, after }
      }),
    )
  })
}
