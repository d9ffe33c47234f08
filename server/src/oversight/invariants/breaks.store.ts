// Violations of invariants: one row from the first finding until it is resolved.

import { AUDITOR_RUNS } from '@megalot/contract'
import { sql } from 'kysely'
import { type Db, type Tx, unquotedArray } from '../../postgres/db.ts'
import type { Finding } from './invariant.ts'
import type { ViolationCode, InvariantCode } from './invariants.ts'

export interface Violation<Code extends ViolationCode = ViolationCode> {
  break_id: number
  invariant: Code
  broken_at: Date
  seen_at: Date
  whole_at: Date | null
  keys: number[]
  findings: Finding[]
}

/** Violations of invariants, without the check's own lateness. */
export async function listOpenViolations(db: Db): Promise<Violation<InvariantCode>[]> {
  const { rows } = await sql<Violation<InvariantCode>>`
    select * from invariant_breaks where whole_at is null and invariant <> ${AUDITOR_RUNS} order by break_id`.execute(
    db,
  )
  return rows
}

/** Open violations, and the latest resolved ones, newest first. */
export async function listViolations(db: Db, ended: number): Promise<Violation[]> {
  const { rows } = await sql<Violation>`
    select * from invariant_breaks where whole_at is null or break_id in (
      select break_id from invariant_breaks where whole_at is not null order by whole_at desc limit ${ended})
    order by whole_at is not null, break_id desc`.execute(db)
  return rows
}

/** @returns its id; undefined if another node has already recorded the violation */
export async function insertViolation(
  tx: Tx,
  { invariant, keys, findings }: Pick<Violation, 'invariant' | 'keys' | 'findings'>,
): Promise<number | undefined> {
  const { rows } = await sql<{ break_id: number }>`
    insert into invariant_breaks (invariant, keys, findings)
    values (${invariant}, ${unquotedArray(keys)}::bigint[], ${JSON.stringify(findings)}::jsonb)
    on conflict (invariant) where whole_at is null do nothing returning break_id`.execute(tx)
  return rows[0]?.break_id
}

/** How long further records of a violation wait after its last report, in s; the check runs once a minute. */
const REPORT_AGAIN_S = 50

/**
 * Records what is found for an open violation.
 * @param hasMore whether there are new records
 * @returns whether further records are to be reported now
 */
export async function recordFindings(
  tx: Tx,
  { break_id, keys, findings }: Pick<Violation, 'break_id' | 'keys' | 'findings'>,
  hasMore: boolean,
): Promise<boolean> {
  await sql`
    update invariant_breaks set seen_at = clock_timestamp(), keys = ${unquotedArray(keys)}::bigint[],
      findings = ${JSON.stringify(findings)}::jsonb, has_unreported = has_unreported or ${hasMore}
    where break_id = ${break_id}`.execute(tx)
  const { rows } = await sql`
    update invariant_breaks set reported_at = clock_timestamp(), has_unreported = false
    where break_id = ${break_id} and has_unreported and reported_at < clock_timestamp() - ${REPORT_AGAIN_S} * interval '1 second'
    returning break_id`.execute(tx)
  return rows.length > 0
}

export async function endBreak(tx: Tx, break_id: number): Promise<void> {
  await sql`update invariant_breaks set whole_at = clock_timestamp() where break_id = ${break_id}`.execute(tx)
}

/**
 * Resolves an invariant's open violation.
 * @returns its id; undefined if there is none
 */
export async function resolveViolation(tx: Tx, invariant: ViolationCode): Promise<number | undefined> {
  const { rows } = await sql<{ break_id: number }>`
    update invariant_breaks set whole_at = clock_timestamp() where invariant = ${invariant} and whole_at is null
    returning break_id`.execute(tx)
  return rows[0]?.break_id
}
