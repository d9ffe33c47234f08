// Counts every row that the application under test writes, so that "nothing was written" can be asserted for the whole
// database.

import { sql } from 'kysely'
import type { Db } from '../src/postgres/db.ts'

/** Rows that a refused call may leave all the same: they record the refusal itself. */
const traces = ['captchas', 'attempts_of_day', 'failed_tries', 'unknown_log_ins', 'factor_challenges', 'audit_head']

/** The rows that count of tables where some writes mean nothing. */
const narrowed: Readonly<Record<string, string>> = {
  // Without times of activity.
  sessions: 'insert or update of ended_at or delete',
  // It is append-only; failed attempts are recorded there.
  audit_log: 'insert',
}

export interface WriteWatch {
  /** How many rows of each table have been written since the watch began, by committed transactions. */
  count(): Promise<Readonly<Record<string, number>>>
}

/**
 * Begins to watch. Each row written counts, except records of the refusal itself.
 * @param owner the database as its owner: the application's own role may not create triggers
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
    const writes = sql.raw(narrowed[name] ?? 'insert or update or delete')
    const when = sql.raw(name === 'audit_log' ? `when (new.action not like '%\\_failed')` : '')
    await sql`create trigger note_written_row after ${writes} on ${sql.id(name)}
      for each row ${when} execute function note_written_row()`.execute(owner)
  }
  const counts: Record<string, number> = {}
  return {
    async count() {
      // What is counted is taken away: it is asked after each call of thousands.
      const { rows } = await sql<{ name: string; written: number }>`
        with counted as (delete from written_rows returning table_name)
        select table_name as name, count(*) as written from counted group by table_name`.execute(owner)
      for (const { name, written } of rows) counts[name] = (counts[name] ?? 0) + written
      return { ...counts }
    },
  }
}
