// An invariant is a query that must find nothing. The same statement serves a full check, a piece of it, and changed
// records: it is given the keys of the records to check.

import { type RawBuilder, sql } from 'kysely'
import { type Db, isDataException, unquotedArray } from '../../postgres/db.ts'

/**
 * The keys of an invariant: a ticket (`order_id`), an entry, a user, a period, or a member's data in a period
 * (`memberPeriodKey`).
 */
export type KeyKind = 'order' | 'entry' | 'user' | 'member_period' | 'period'

/** Lists of changed records. A winner is a user with a win in a changed period. */
export type ChangeList = KeyKind | 'winner'

/** The records to check; null for all. */
export type Keys = readonly number[] | null

/** A violating record and, for an amount or a count, the stored value and the one implied by other records. */
export interface Finding {
  key: number
  order_id?: number
  entry_id?: number
  user_id?: number
  period_id?: number
  /** Bet type and number, such as `3top 123`. */
  bet?: string
  stored?: number | null
  computed?: number | null
}

/** Amounts in satang, counts, or nothing to compare. */
type Unit = 'satang' | 'count' | 'none'

export interface Invariant {
  /** The invariant as a sentence. */
  name: { th: string; en: string }
  unit: Unit
  /** What its keys are. */
  by: KeyKind
  /** How many keys one statement checks, if a key is much work; defaults to its kind's. */
  atOnce?: number
  /**
   * The changed records for which it is checked every minute. Null: only in a full check, because other invariants find
   * the same in changed records, and this one reads a record's whole history.
   */
  onChange: ChangeList | null
  /** Rows of `Finding`, each with its key. */
  query: (keys: Keys) => RawBuilder<Finding>
}

/** The condition that a column is one of the keys. */
export function among(column: string, keys: Keys): RawBuilder<boolean> {
  return keys === null ? sql<boolean>`true` : sql<boolean>`${sql.raw(column)} = any(${unquotedArray(keys)}::bigint[])`
}

/** More than there will ever be periods. */
const PERIODS = 10_000_000

/** A member and a period as one number. */
export const memberPeriodKey = sql.raw(`(user_id * ${PERIODS}::bigint + period_id)`)

/** The two parts of a key, as a row. */
export function memberPeriodParts(key: number): RawBuilder<unknown> {
  return sql`(${sql.lit(Math.floor(key / PERIODS))}, ${sql.lit(key % PERIODS)})`
}

/** The two parts of keys, as a table. */
export function memberPeriodsOf(keys: readonly number[]): RawBuilder<unknown> {
  const count = sql.lit(PERIODS)
  return sql`(select key / ${count} as user_id, (key % ${count})::int as period_id
    from unnest(${unquotedArray(keys)}::bigint[]) key)`
}

/** Findings of an invariant, at most `limit`. */
export async function findViolations(db: Db, { query }: Invariant, keys: Keys, limit: number): Promise<Finding[]> {
  if (keys?.length === 0) return []
  // As JSON, so that a forged amount, too large for an exact number, is reported and throws nothing.
  const { rows } = await sql<{ finding: Finding }>`
    select jsonb_strip_nulls(to_jsonb(findings)) as finding from (${query(keys)}) findings limit ${limit}`.execute(db)
  return rows.map(({ finding }) => ({ ...finding, ...exact('stored', finding), ...exact('computed', finding) }))
}

/** How many unreadable records are named; if a statement can read none, it has a bug. */
const MAX_UNREADABLE = 5

/**
 * As `findViolations`. A record that the statement cannot read, such as an overflowing amount, is a finding too, so that
 * forged data stop neither other records' checks nor other invariants.
 * @param db no transaction, which a failed statement would end
 */
export async function findViolationsInPieces(
  db: Db,
  invariant: Invariant,
  keys: readonly number[],
  limit: number,
): Promise<Finding[]> {
  try {
    return await findViolations(db, invariant, keys, limit)
  } catch (error) {
    if (!isDataException(error)) throw error
    if (keys.length === 1) return [{ key: keys[0]! }]
    const half = keys.length >> 1
    const found = await findViolationsInPieces(db, invariant, keys.slice(0, half), limit)
    if (found.length >= MAX_UNREADABLE) return found
    return [...found, ...(await findViolationsInPieces(db, invariant, keys.slice(half), limit))]
  }
}

/** A figure of a finding, limited to exact numbers. */
function exact(name: 'stored' | 'computed', finding: Finding): Partial<Finding> {
  const most = Number.MAX_SAFE_INTEGER
  const value = finding[name]
  return typeof value === 'number' ? { [name]: Math.max(-most, Math.min(most, value)) } : {}
}
