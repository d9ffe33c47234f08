// Notices every row that a test's product writes, so that "nothing was written" can be asked of the whole database at once.

import { sql } from 'kysely'
import type { Db } from '../src/platform/db.ts'

/** Rows that a refused call may leave all the same: they are the traces of the refusal itself. */
const traces = ['captchas']

export interface WriteWatch {
  /** How many rows have been written since the watch began, by transactions that are committed. */
  count(): Promise<number>
}

/**
 * Begins to watch. Each row written counts, except the moments of a session's activity and what only traces a refusal.
 * @param owner the database as its owner: the product's own role may not make triggers
 */
export async function watchWrites(owner: Db): Promise<WriteWatch> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'public' and c.relkind = 'r' and c.relname <> all(${traces}::text[])`.execute(owner)
  await sql`create table written_rows (table_name text not null)`.execute(owner)
  await sql`
    create function note_written_row() returns trigger language plpgsql security definer
    set search_path = public, pg_temp as $$
    begin
      insert into written_rows values (tg_table_name);
      return null;
    end $$`.execute(owner)
  for (const { name } of rows) {
    const updates = name === 'sessions' ? sql`update of ended_at` : sql`update`
    await sql`create trigger note_written_row after insert or ${updates} or delete on ${sql.id(name)}
      for each row execute function note_written_row()`.execute(owner)
  }
  return {
    async count() {
      const { rows } = await sql<{ written: number }>`select count(*) as written from written_rows`.execute(owner)
      return rows[0]!.written
    },
  }
}
