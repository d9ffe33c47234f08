// A closed period full of tickets that await a result, and the time until all are refunded.

import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { type ClosedPeriod, numbersFor, seedClosedPeriod } from './write-tickets.ts'

const PATIENCE_MS = 300_000
const FIRST_ORDER_ID = 1_000_000

/** Plans a closed period without a result, whose tickets are spread evenly over the benchmark's members. */
export async function planVoidPeriod(database: pg.Client, tickets: number): Promise<ClosedPeriod> {
  const period = await seedClosedPeriod(database, 'hanoi-vip', 1_000)
  await planTickets(database, period, tickets, FIRST_ORDER_ID)
  return period
}

export async function planTickets(
  database: pg.Client,
  { period_id }: Pick<ClosedPeriod, 'period_id'>,
  tickets: number,
  first_order_id: number,
): Promise<void> {
  await database.query(
    `insert into planned_tickets
      select $3::bigint + n, bettors[1 + n * 7 % cardinality(bettors)], $1, 'CONFIRMED',
        now() - interval '20 hours' + n * interval '100 ms', '', ${numbersFor('n')}
      from generate_series(0, $2::int - 1) n,
        (select array_agg(user_id order by user_id) as bettors from users where username like 'bettor%') members`,
    [period_id, tickets, first_order_id],
  )
}

export interface Refunds {
  /** By the database's clock: from the approval to the last refund. */
  seconds: number
  refunded: number
}

/**
 * Waits until every ticket of a voided period is refunded.
 * @throws Error if that takes minutes
 */
export async function awaitRefunds(
  database: pg.Client,
  { period_id, period_code }: Pick<ClosedPeriod, 'period_id' | 'period_code'>,
): Promise<Refunds> {
  const startedAtMs = performance.now()
  for (;;) {
    const { rows } = await database.query<{ seconds: string; orders: number }>(
      `select extract(epoch from finished_at - decided_at) as seconds, refunded_orders as orders
        from period_voids join approvals using (approval_id) where period_id = $1 and finished_at is not null`,
      [period_id],
    )
    if (rows[0]) return { seconds: Number(rows[0].seconds), refunded: rows[0].orders }
    if (performance.now() - startedAtMs > PATIENCE_MS) throw new Error(`${period_code} was not refunded in time`)
    await pause(50)
  }
}
