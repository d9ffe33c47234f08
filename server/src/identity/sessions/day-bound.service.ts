// Bounds of a day in Bangkok on what strangers do, whatever they pay for it, and on what is kept or written for one principal. The counts of log-ins are in `password-throttle.service.ts`.

import { hash } from 'node:crypto'
import type { Db } from '../../postgres/db.ts'
import { countAttempts, insertAttempt } from './password-throttle.store.ts'

export interface DayBound {
  /** What is counted, and for whom. Stored as a hash. */
  subject: string
  most: number
}

const hashOf = (subject: string): Buffer => hash('sha256', subject, 'buffer')

/** Whether today has had all. */
export async function isSpentToday(db: Db, { subject, most }: DayBound): Promise<boolean> {
  return (await countAttempts(db, hashOf(subject))) >= most
}

/**
 * Counts one, or several: the last of them may go beyond the bound. In a transaction: others that count for the same subject wait until it ends, and it does not count where the transaction fails.
 * @returns false where today has had all
 */
export function countToday(db: Db, { subject, most }: DayBound, count = 1): Promise<boolean> {
  return insertAttempt(db, hashOf(subject), most, count)
}
