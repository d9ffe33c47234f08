// Counts every row written by the application under test, to assert that nothing was written in the whole database.

import { sql } from 'kysely'
import type { Db } from '../src/postgres/db.ts'

/** Rows that even a refused call may write, because they record the refusal. */
const traces = ['captchas', 'attempts_of_day', 'failed_tries', 'unknown_log_ins', 'factor_challenges', 'audit_head']

/** Which writes count, for tables where some are irrelevant. */
const narrowed: Readonly<Record<string, string>> = {
  // Without times of activity.
  sessions: 'insert or update of ended_at or delete',
  // It is append-only; failed attempts are recorded there.
  audit_log: 'insert',
}

export interface WriteWatch {
  /** Rows written to each table since the watch began, by committed transactions. */
  count(): Promise<Readonly<Record<string, number>>>
}

/**
 * Starts the watch. Counts each written row, except records of the refusal itself.
 * @param owner the database as its owner; the application's role cannot create triggers
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
      // Deletes what it counts, because it is called after each of thousands of calls.
      const { rows } = await sql<{ name: string; written: number }>`
        with counted as (delete from written_rows returning table_name)
        select table_name as name, count(*) as written from counted group by table_name`.execute(owner)
      for (const { name, written } of rows) counts[name] = (counts[name] ?? 0) + written
      return { ...counts }
    },
  }
}
