// Closed periods full of tickets: waiting for their slot indexes, and settling them by two users of the office.

import { setTimeout as pause } from 'node:timers/promises'
import { enterAward } from '@megalot/contract'
import type pg from 'pg'
import type { Client } from '../client.ts'
import { type ClosedPeriod, WINNING_RESULT } from './write-tickets.ts'

const PATIENCE_MS = 120_000

/**
 * Waits until the application's job has built the slot index of each period.
 * @returns ms that each took, by period
 */
export async function awaitIndexes(
  database: pg.Client,
  periods: readonly ClosedPeriod[],
): Promise<Map<number, number>> {
  const startedAtMs = performance.now()
  for (;;) {
    const { rows } = await database.query<{ period_id: number; ms: string }>(
      `select period_id, extract(epoch from built_at - started_at) * 1000 as ms from slot_indexes
        where period_id = any($1)`,
      [periods.map(({ period_id }) => period_id)],
    )
    if (rows.length === periods.length) return new Map(rows.map(({ period_id, ms }) => [period_id, Number(ms)]))
    if (performance.now() - startedAtMs > PATIENCE_MS) throw new Error('the slot indexes were not built in time')
    await pause(500)
  }
}

/** How often the database is asked whether a settlement is committed, in ms. */
const POLL_MS = 2

/**
 * Enters the result twice and waits for the end of the settlement.
 * @returns ms by the database's clock, from the beginning of the settlement until its commit is seen. `finished_at` is
 * earlier: the rollups follow it
 */
export async function settleClosedPeriod(
  database: pg.Client,
  office: readonly Client[],
  period: ClosedPeriod,
): Promise<number> {
  const body = {
    period_code: period.period_code,
    result: { first_prize: `12${WINNING_RESULT.top3}`, ...WINNING_RESULT },
  }
  for (const client of office) await client.call(enterAward, `${enterAward.path}?date=${period.period_date}`, body)
  const startedAtMs = performance.now()
  for (;;) {
    const { rows } = await database.query<{ ms: string }>(
      `select extract(epoch from clock_timestamp() - started_at) * 1000 as ms from settlements join periods using (period_id)
        where period_id = $1 and outcome = 'settled'`,
      [period.period_id],
    )
    if (rows[0]) return Number(rows[0].ms)
    if (performance.now() - startedAtMs > PATIENCE_MS) throw new Error(`${period.period_code} was not settled in time`)
    await pause(POLL_MS)
  }
}
