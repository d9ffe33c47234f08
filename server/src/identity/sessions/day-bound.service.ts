// Daily limits, in Bangkok days, on unauthenticated calls and on records kept for one principal. The counts of log-ins
// are in `password-throttle.service.ts`.

import { hash } from 'node:crypto'
import type { Db } from '../../postgres/db.ts'
import { countAttempts, insertAttempt } from './password-throttle.store.ts'

export interface DayBound {
  /** What is counted, and for whom. Stored as a hash. */
  subject: string
  most: number
}

const hashOf = (subject: string): Buffer => hash('sha256', subject, 'buffer')

/** Whether today's limit is reached. */
export async function isDailyLimitReached(db: Db, { subject, most }: DayBound): Promise<boolean> {
  return (await countAttempts(db, hashOf(subject))) >= most
}

/**
 * Adds to today's count; the last addition may exceed the limit. Within a transaction, others who count for the same
 * subject wait until it ends, and a rollback undoes the count.
 * @returns false if today's limit was already reached
 */
export function countToday(db: Db, { subject, most }: DayBound, count = 1): Promise<boolean> {
  return insertAttempt(db, hashOf(subject), most, count)
}
