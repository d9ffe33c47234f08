import type { DrawResult } from '@megalot/rules'
import { sql } from 'kysely'
import type { Db, Tx } from '../postgres/db.ts'
import { periodColumns, type PeriodRecord } from '../markets/index.ts'

export interface AwardRecord {
  state: 'entered' | 'locked' | 'agreed'
  result: DrawResult
  entered_by: number | null
}

export async function findAward(db: Db, period_id: number): Promise<AwardRecord | undefined> {
  return db
    .selectFrom('awards')
    .select(['state', 'result', 'entered_by'])
    .where('period_id', '=', period_id)
    .executeTakeFirst()
}

export async function insertAward(tx: Tx, period_id: number, result: DrawResult, entered_by: number): Promise<void> {
  await sql`
    insert into awards (period_id, state, result, entered_by)
    values (${period_id}, 'entered', ${JSON.stringify(result)}::jsonb, ${entered_by})`.execute(tx)
}

export async function repeatAward(
  tx: Tx,
  period_id: number,
  state: 'agreed' | 'locked',
  result: DrawResult,
  repeated_by: number,
): Promise<void> {
  await sql`
    update awards set state = ${state}, repeated_result = ${JSON.stringify(result)}::jsonb, repeated_by = ${repeated_by},
      repeated_at = clock_timestamp()
    where period_id = ${period_id}`.execute(tx)
}

export async function removeAward(tx: Tx, period_id: number): Promise<void> {
  await tx.deleteFrom('awards').where('period_id', '=', period_id).execute()
}

/** Removes first entries of these users that no second person has repeated. */
export async function removeFirstEntries(
  tx: Tx,
  users: readonly number[],
): Promise<(AwardRecord & { period_code: string })[]> {
  const { rows } = await sql<AwardRecord & { period_code: string }>`
    delete from awards using periods
    where periods.period_id = awards.period_id and outcome = 'pending' and state = 'entered'
      and entered_by = any(${users}::bigint[])
    returning period_code, state, result, entered_by`.execute(tx)
  return rows
}

export interface SettledAward extends PeriodRecord {
  result: DrawResult
  corrected_from: DrawResult | null
  is_demo: boolean
}

export interface AwardFilter {
  product_codes?: readonly string[] | undefined
  date_from?: string | undefined
  date_to?: string | undefined
}

const awardColumns = sql`
  ${periodColumns}, awards.result, awards.is_demo,
  (select old_result from award_corrections c
    where c.period_id = awards.period_id and state = 'settled' order by round desc limit 1) as corrected_from`

/** Settled results with their periods, newest first. */
export async function listSettledAwards(
  db: Db,
  filter: AwardFilter,
  limit: number,
  offset: number,
): Promise<SettledAward[]> {
  const { product_codes = null, date_from = null, date_to = null } = filter
  const { rows } = await sql<SettledAward>`
    select ${awardColumns}
    from awards join periods using (period_id)
    where periods.outcome = 'settled'
      and (${product_codes}::text[] is null or periods.product_code = any(${product_codes}))
      and (${date_from}::date is null or periods.period_date >= ${date_from}::date)
      and (${date_to}::date is null or periods.period_date <= ${date_to}::date)
    order by periods.period_date desc, periods.close_at desc, periods.period_id desc
    limit ${limit} offset ${offset}`.execute(db)
  return rows
}

/**
 * The last settled results of each market, or of one, newest first. Uses the index on a market's periods.
 * @param count at most this many per market
 */
export async function listLatestSettledAwards(
  db: Db,
  count: number,
  product_code: string | null = null,
): Promise<SettledAward[]> {
  const { rows } = await sql<SettledAward>`
    select last.* from products cross join lateral (
      select ${awardColumns}
      from periods join awards using (period_id)
      where periods.product_code = products.product_code and periods.outcome = 'settled'
      order by periods.close_at desc limit ${count}) last
    where ${product_code}::text is null or products.product_code = ${product_code}
    order by last.period_date desc, last.close_at desc, last.period_id desc`.execute(db)
  return rows
}

export async function listPeriodIdsToSettle(db: Db): Promise<number[]> {
  const rows = await db.selectFrom('periods').select('period_id').where('outcome', '=', 'settling').execute()
  return rows.map((row) => row.period_id)
}

/** Replaces a settled result by the correct one that two people have entered, which is then not a demo result. */
export async function replaceAward(
  tx: Tx,
  period_id: number,
  result: DrawResult,
  entered_by: number,
  repeated_by: number,
): Promise<void> {
  const text = JSON.stringify(result)
  await sql`
    update awards set state = 'agreed', result = ${text}::jsonb, entered_by = ${entered_by},
      entered_at = clock_timestamp(), repeated_result = ${text}::jsonb, repeated_by = ${repeated_by},
      repeated_at = clock_timestamp(), is_demo = false
    where period_id = ${period_id}`.execute(tx)
}

/** An entry of a result or a correction that needs a second person, without its numbers. */
export interface WaitingAward {
  kind: 'award' | 'award_correction'
  period_code: string
  product_code: string
  /** The two entries differ. */
  is_locked: boolean
  begun_by: number
  begun_at: Date
  reason: string | null
}

/** Oldest first. */
export async function listWaitingAwardEntries(db: Db): Promise<WaitingAward[]> {
  const { rows } = await sql<WaitingAward>`
    select 'award' as kind, period_code, product_code, state = 'locked' as is_locked, entered_by as begun_by,
      entered_at as begun_at, null as reason
    from awards join periods using (period_id)
    where outcome = 'pending' and state in ('entered', 'locked') and entered_by is not null
    union all
    select 'award_correction', period_code, product_code, state = 'locked', entered_by, entered_at, reason
    from award_corrections join periods using (period_id) where state in ('entered', 'locked')
    order by begun_at, period_code limit 500`.execute(db)
  return rows
}
