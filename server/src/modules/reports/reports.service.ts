// What happened to a user's money.

import type { Transaction } from '@megalot/contract'
import type { Db } from '../../platform/db.ts'
import { listTransactions } from './reports.store.ts'

/** A user's statement, newest first: every entry with the balance after it. */
export async function listStatement(db: Db, user_id: number, limit: number, offset: number): Promise<Transaction[]> {
  const records = await listTransactions(db, user_id, limit, offset)
  return records.map((record) => ({ ...record, at: record.at.toISOString() }))
}
