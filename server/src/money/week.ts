// The accounting week: Monday to Sunday in Bangkok.

import { sql } from 'kysely'
import { addDays, bangkokToday, weekdayOf } from '../lib/bangkok.ts'
import type { Db } from '../postgres/db.ts'

/** The Monday of a day's week. */
export function mondayOf(day: string): string {
  return addDays(day, 1 - weekdayOf(day))
}

/** Today in Bangkok by the database's clock. */
export async function findToday(db: Db): Promise<string> {
  const { rows } = await sql<{ today: string }>`select ${bangkokToday}::text as today`.execute(db)
  return rows[0]!.today
}
