// Periods: reading, locking, closing, setting their outcome.

import type { Period, PeriodStatus } from '@megalot/contract'
import { sql } from 'kysely'
import { shareLock, takeLock } from '../postgres/advisory-locks.ts'
import type { Db, Tx } from '../postgres/db.ts'
import { Refusal } from '../lib/refusal.ts'
import type { PeriodOutcome } from '../postgres/tables/markets.ts'

export interface PeriodRecord {
  period_id: number
  period_code: string
  product_code: string
  period_date: string
  round: number | null
  open_at: Date
  close_at: Date
  draw_at: Date
  /** When the close was noticed; null if not yet. */
  closed_at: Date | null
  outcome: PeriodOutcome
  /** By the database's clock. */
  status: PeriodStatus
}

/** A period's columns with its current status; the table must be named `periods`. */
export const periodColumns = sql`
  periods.period_id, periods.period_code, periods.product_code, periods.period_date, periods.round, periods.open_at,
  periods.close_at, periods.draw_at, periods.closed_at, periods.outcome,
  case when periods.outcome in ('settled', 'void') then periods.outcome
    when periods.outcome = 'voiding' then 'closed'
    when clock_timestamp() < periods.open_at then 'upcoming'
    when clock_timestamp() < periods.close_at and periods.closed_at is null then 'open' else 'closed' end as status`

/** A period as sent to clients. */
export function toPeriod(record: PeriodRecord): Period {
  const { period_code, product_code, period_date, round, status } = record
  return {
    period_code,
    product_code,
    period_date,
    round,
    open_at: record.open_at.toISOString(),
    close_at: record.close_at.toISOString(),
    draw_at: record.draw_at.toISOString(),
    status,
  }
}

export async function findPeriod(db: Db, period_code: string): Promise<PeriodRecord | undefined> {
  const { rows } = await sql<PeriodRecord>`
    select ${periodColumns} from periods where period_code = ${period_code}`.execute(db)
  return rows[0]
}

/** @throws Refusal unknown_period */
export async function getPeriodRecord(db: Db, period_code: string): Promise<PeriodRecord> {
  const period = await findPeriod(db, period_code)
  if (!period) throw new Refusal('unknown_period')
  return period
}

/** @throws Error if it does not exist: period ids come from the database */
export async function getPeriodById(db: Db, period_id: number): Promise<PeriodRecord> {
  const { rows } = await sql<PeriodRecord>`
    select ${periodColumns} from periods where period_id = ${period_id}`.execute(db)
  if (!rows[0]) throw new Error(`There is no period ${period_id}`)
  return rows[0]
}

/**
 * The period, locked until the transaction ends against every other change: betting, closing, awarding. Uses an
 * advisory lock, because those queue fairly: new sharers of a row lock can overtake a waiting exclusive lock, and an
 * early close under load would starve.
 */
export async function lockPeriod(tx: Tx, period_code: string): Promise<PeriodRecord | undefined> {
  return (await lockPeriods(tx, [period_code]))[0]
}

/** The markets' periods that accept bets now or later, each locked as by `lockPeriod`, in sorted order. */
export async function lockPeriodsToBet(tx: Tx, product_codes: readonly string[]): Promise<void> {
  await sql`
    select ${takeLock('period', sql.ref('period_id'))} from (
      select period_id from periods
      where product_code = any (${[...product_codes]}::text[]) and outcome = 'pending' and close_at > clock_timestamp()
      order by period_id
    ) open_ones`.execute(tx)
}

/** The existing ones of several periods, each locked as by `lockPeriod`, in sorted order. */
export async function lockPeriods(tx: Tx, period_codes: readonly string[]): Promise<PeriodRecord[]> {
  for (;;) {
    const { rows: locked } = await sql<{ period_id: number }>`
      select period_id, ${takeLock('period', sql.ref('period_id'))} from (
        select period_id from periods where period_code = any (${[...period_codes]}::text[]) order by period_id
      ) named`.execute(tx)
    // Lock first, then read the clock: the wait for the lock may outlast the period.
    const periods = await listPeriodRecords(tx, period_codes)
    const ids = new Set(locked.map(({ period_id }) => period_id))
    // A timetable change may have replaced a period by another with the same code, which is not locked yet.
    if (periods.every(({ period_id }) => ids.has(period_id))) return periods
  }
}

/** The named periods that exist. */
export async function listPeriodRecords(db: Db, period_codes: readonly string[]): Promise<PeriodRecord[]> {
  const { rows } = await sql<PeriodRecord>`
    select ${periodColumns} from periods where period_code = any (${[...period_codes]}::text[])
    order by period_id`.execute(db)
  return rows
}

/**
 * The markets' periods that accept bets now or later.
 * @param until_date the last day; null for no end
 */
export async function listPeriodsToBet(
  db: Db,
  product_codes: readonly string[],
  until_date: string | null,
): Promise<PeriodRecord[]> {
  const { rows } = await sql<PeriodRecord>`
    select ${periodColumns} from periods
    where product_code = any (${[...product_codes]}::text[]) and outcome = 'pending' and close_at > clock_timestamp()
      and (${until_date}::date is null or period_date <= ${until_date}::date)
    order by period_id`.execute(db)
  return rows
}

/**
 * Until the transaction ends no standing rule is set or undone, so that each new period gets all of them. Waiting for a
 * large rule takes seconds, so take this lock before locks that others need.
 */
export async function shareStandingRules(tx: Tx): Promise<void> {
  await sql`select ${shareLock('standingRules')}`.execute(tx)
}

/**
 * Locks the period shared with other batches of bets, but not with closing or awarding. What is read afterwards stays
 * valid.
 */
export async function lockPeriodShared(tx: Tx, period_code: string): Promise<void> {
  await sql`
    select ${shareLock('period', sql.ref('period_id'))} from periods
    where period_code = ${period_code}`.execute(tx)
}

/** The period, locked as by `lockPeriodShared`. */
export async function findSharedPeriod(tx: Tx, period_code: string): Promise<PeriodRecord | undefined> {
  await lockPeriodShared(tx, period_code)
  return findPeriod(tx, period_code)
}

/**
 * Records the close of every period whose time has come, so that a clock that steps back does not reopen it.
 * @returns how many there were
 */
export async function recordClosedPeriods(db: Db): Promise<number> {
  const { rows } = await sql<{ count: number }>`select latch_closed_periods() as count`.execute(db)
  return rows[0]!.count
}

/** Closes a period at this moment by the database's clock. Lock it first. */
export async function closeNow(tx: Tx, period_id: number): Promise<void> {
  await sql`update periods set close_at = clock_timestamp() where period_id = ${period_id}`.execute(tx)
}

export type PeriodTimes = Pick<PeriodRecord, 'open_at' | 'close_at' | 'draw_at'>

/** Lock the period first. An unchanged opening is not written, because the database has its microseconds. */
export async function saveTimes(
  tx: Tx,
  { period_id, open_at: opened_at }: PeriodRecord,
  { open_at, ...times }: PeriodTimes,
): Promise<void> {
  const opening = open_at.getTime() === opened_at.getTime() ? {} : { open_at }
  await tx
    .updateTable('periods')
    .set({ ...opening, ...times })
    .where('period_id', '=', period_id)
    .execute()
}

/** Lock the period first. */
export async function setOutcome(tx: Tx, period_id: number, outcome: PeriodOutcome): Promise<void> {
  await tx.updateTable('periods').set({ outcome }).where('period_id', '=', period_id).execute()
}
