import type { DrawResult } from '@megalot/rules'
import { sql } from 'kysely'
import type { Tx } from '../postgres/db.ts'

export interface CorrectionRecord {
  correction_id: number
  round: number
  state: 'entered' | 'locked' | 'agreed'
  new_result: DrawResult
  entered_by: number
}

/** The unsettled correction of a period. */
export async function findOpenCorrection(tx: Tx, period_id: number): Promise<CorrectionRecord | undefined> {
  const { rows } = await sql<CorrectionRecord>`
    select correction_id, round, state, new_result, entered_by from award_corrections
    where period_id = ${period_id} and state <> 'settled'`.execute(tx)
  return rows[0]
}

export async function countCorrections(tx: Tx, period_id: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from award_corrections where period_id = ${period_id}`.execute(tx)
  return rows[0]!.count
}

export interface NewCorrection {
  period_id: number
  round: number
  old_result: DrawResult
  new_result: DrawResult
  reason: string
  entered_by: number
}

export async function insertCorrection(tx: Tx, correction: NewCorrection): Promise<void> {
  const { period_id, round, old_result, new_result, reason, entered_by } = correction
  await sql`
    insert into award_corrections (period_id, round, old_result, new_result, reason, entered_by)
    values (${period_id}, ${round}, ${JSON.stringify(old_result)}::jsonb, ${JSON.stringify(new_result)}::jsonb, ${reason},
      ${entered_by})`.execute(tx)
}

export async function repeatCorrection(
  tx: Tx,
  correction_id: number,
  state: 'agreed' | 'locked',
  repeated_result: DrawResult,
  repeated_by: number,
): Promise<void> {
  await sql`
    update award_corrections set state = ${state}, repeated_result = ${JSON.stringify(repeated_result)}::jsonb,
      repeated_by = ${repeated_by}, repeated_at = clock_timestamp()
    where correction_id = ${correction_id}`.execute(tx)
}

/** Removes first entries of these users that no second person has repeated. */
export async function removeFirstCorrections(
  tx: Tx,
  users: readonly number[],
): Promise<(CorrectionRecord & { period_code: string })[]> {
  const { rows } = await sql<CorrectionRecord & { period_code: string }>`
    delete from award_corrections using periods
    where periods.period_id = award_corrections.period_id and state = 'entered' and entered_by = any(${users}::bigint[])
    returning period_code, correction_id, award_corrections.round, state, new_result, entered_by`.execute(tx)
  return rows
}

export async function removeCorrection(tx: Tx, correction_id: number): Promise<void> {
  await sql`delete from award_corrections where correction_id = ${correction_id}`.execute(tx)
}
