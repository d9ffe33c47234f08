// The slot index of a closed period, by which settlement finds the tickets of winning bets (`build_slot_index` in
// `0008-awards.sql`).

import { sql } from 'kysely'
import type { Db } from '../postgres/db.ts'

/** Tickets per piece: with ten items each it takes about a second. */
const PIECE_SIZE = 100_000

/**
 * Builds a closed period's slot index, unless it is built. Each piece is a separate transaction, because it locks the
 * period until it ends; after an interruption the next call continues.
 * @throws DatabaseError `slot_index_after_close` while the period may still get tickets
 */
export async function buildSlotIndex(db: Db, period_id: number, pieceSize = PIECE_SIZE): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ isBuilt: boolean }>`
      select build_slot_index(${period_id}, ${pieceSize}) as "isBuilt"`.execute(db)
    if (rows[0]!.isBuilt) return
  }
}

/**
 * Builds the slot index of every closed, undecided period, in advance of its settlement. Any node may call it at any
 * time.
 * @returns how many there were
 * @throws the failures together, after all other periods were processed
 */
export async function indexClosedPeriods(db: Db): Promise<number> {
  const { rows } = await sql<{ period_id: number }>`
    select period_id from periods
    where outcome = 'pending' and close_at <= clock_timestamp()
      and not exists (select 1 from slot_indexes
        where slot_indexes.period_id = periods.period_id and built_at is not null)
    order by close_at`.execute(db)
  const failures: unknown[] = []
  for (const { period_id } of rows) await buildSlotIndex(db, period_id).catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} periods could not be indexed`)
  return rows.length
}
