import { type RawBuilder, sql } from 'kysely'
import type { Db } from './db.ts'

/**
 * A query's rows, piece by piece, as of the first piece. The query is planned and run once, and neither side holds all
 * rows. Holds a connection until the last piece, or until the reader stops.
 * @param size rows of a piece; the last one may hold fewer, or none
 */
export async function* readPieces<Row>(db: Db, query: RawBuilder<Row>, size: number): AsyncGenerator<Row[]> {
  const tx = await db.startTransaction().setAccessMode('read only').execute()
  try {
    // All rows are read, so a plan that finds only the first ones early is slower.
    await sql`set local cursor_tuple_fraction = 1`.execute(tx)
    await sql`declare pieces no scroll cursor for ${query}`.execute(tx)
    for (;;) {
      const { rows } = await sql<Row>`fetch ${sql.lit(size)} from pieces`.execute(tx)
      yield rows
      if (rows.length < size) return
    }
  } finally {
    await tx.rollback().execute()
  }
}
