// Breaks of invariants: one row from the first finding until the invariant holds again.

import { sql } from 'kysely'
import { type Db, type Tx, unquotedArray } from '../../platform/db.ts'
import type { Finding } from './invariant.ts'
import type { InvariantCode } from './invariants.ts'

export interface Break {
  break_id: number
  invariant: InvariantCode
  broken_at: Date
  seen_at: Date
  whole_at: Date | null
  keys: number[]
  findings: Finding[]
}

export async function listOpenBreaks(db: Db): Promise<Break[]> {
  const { rows } = await sql<Break>`select * from invariant_breaks where whole_at is null order by break_id`.execute(db)
  return rows
}

/** Those that are open and the latest that ended, the newest first. */
export async function listBreaks(db: Db, ended: number): Promise<Break[]> {
  const { rows } = await sql<Break>`
    select * from invariant_breaks where whole_at is null or break_id in (
      select break_id from invariant_breaks where whole_at is not null order by whole_at desc limit ${ended})
    order by whole_at is not null, break_id desc`.execute(db)
  return rows
}

export async function insertBreak(
  tx: Tx,
  { invariant, keys, findings }: Pick<Break, 'invariant' | 'keys' | 'findings'>,
): Promise<number> {
  const { rows } = await sql<{ break_id: number }>`
    insert into invariant_breaks (invariant, keys, findings)
    values (${invariant}, ${unquotedArray(keys)}::bigint[], ${JSON.stringify(findings)}::jsonb) returning break_id`.execute(
    tx,
  )
  return rows[0]!.break_id
}

export async function seeBreak(
  tx: Tx,
  { break_id, keys, findings }: Pick<Break, 'break_id' | 'keys' | 'findings'>,
): Promise<void> {
  await sql`
    update invariant_breaks set seen_at = clock_timestamp(), keys = ${unquotedArray(keys)}::bigint[],
      findings = ${JSON.stringify(findings)}::jsonb where break_id = ${break_id}`.execute(tx)
}

export async function endBreak(tx: Tx, break_id: number): Promise<void> {
  await sql`update invariant_breaks set whole_at = clock_timestamp() where break_id = ${break_id}`.execute(tx)
}
