import { sql } from 'kysely'
import type { Db } from '../src/platform/db.ts'

/** How many rows of a table, and entries of its indexes, a reading touches; what it takes and not what it returns. */
export async function countRead(db: Db, table: string, read: (tx: Db) => Promise<unknown>): Promise<number> {
  return db.transaction().execute(async (tx) => {
    const count = async () => {
      const { rows } = await sql<{ count: number }>`
        select (pg_stat_get_xact_tuples_returned(of) + pg_stat_get_xact_tuples_fetched(of) + (
            select sum(pg_stat_get_xact_tuples_returned(indexrelid)) from pg_index where indrelid = of))::bigint as count
        from (select ${table}::regclass::oid as of) given`.execute(tx)
      return rows[0]!.count
    }
    const before = await count()
    await read(tx)
    return (await count()) - before
  })
}
