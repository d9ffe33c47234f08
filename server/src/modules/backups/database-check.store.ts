import { sql } from 'kysely'
import type { Db } from '../../platform/db.ts'

export interface LastTicket {
  /** Null: there is none. */
  order_id: number | null
  placed_at: Date | null
  ticket_count: number
}

export async function readLastTicket(db: Db): Promise<LastTicket> {
  const { rows } = await sql<LastTicket>`
    select max(order_id) as order_id, (select placed_at from orders order by order_id desc limit 1) as placed_at,
      count(*) as ticket_count from orders`.execute(db)
  return rows[0]!
}

/** The migrations that ran. */
export async function listRunMigrations(db: Db): Promise<{ name: string; hash: string }[]> {
  const { rows } = await sql<{ name: string; hash: string }>`select name, hash from migrations order by name`.execute(
    db,
  )
  return rows
}
