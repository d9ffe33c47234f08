// What an invariant is: a query that must find nothing. The same statement serves a check of everything, of a piece of it, and of what
// has changed: it is given the keys of the records to check.

import { type RawBuilder, sql } from 'kysely'
import { type Db, isDataException, unquotedArray } from '../../postgres/db.ts'

/**
 * What the keys of an invariant are: a ticket (`order_id`), an entry, a user, a period, or what one member has in one period
 * (`memberPeriodKey`).
 */
export type KeyKind = 'order' | 'entry' | 'user' | 'member_period' | 'period'

/** Lists of records that have changed. A winner is a user with a win in a period that has changed. */
export type ChangeList = KeyKind | 'winner'

/** The records to check; null: all. */
export type Keys = readonly number[] | null

/** What breaks an invariant: a record, and where it is an amount or a count what is stored and what follows from other records. */
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

/** Amounts in satang; other figures are counts, or nothing that could be compared. */
type Unit = 'satang' | 'count' | 'none'

export interface Invariant {
  /** What always holds, as a sentence. */
  name: { th: string; en: string }
  unit: Unit
  /** What its keys are. */
  by: KeyKind
  /** How many keys one statement checks, where a key is much work; otherwise as its kind. */
  atOnce?: number
  /**
   * Checked every minute for these records. Null: in a check of everything alone, because other invariants find the same in what has
   * changed, and this one reads all history of a record.
   */
  onChange: ChangeList | null
  /** Rows of `Finding`, each with its key. */
  query: (keys: Keys) => RawBuilder<Finding>
}

/** The condition that a column is one of the keys. */
export function among(column: string, keys: Keys): RawBuilder<boolean> {
  return keys === null ? sql<boolean>`true` : sql<boolean>`${sql.raw(column)} = any(${unquotedArray(keys)}::bigint[])`
}

/** More than there will be periods. */
const PERIODS = 10_000_000

/** What a member has in a period, as one number. */
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
export async function findBreaks(db: Db, { query }: Invariant, keys: Keys, limit: number): Promise<Finding[]> {
  if (keys?.length === 0) return []
  // As JSON: an amount that somebody forged, too large for an exact number, is reported and throws nothing.
  const { rows } = await sql<{ finding: Finding }>`
    select jsonb_strip_nulls(to_jsonb(findings)) as finding from (${query(keys)}) findings limit ${limit}`.execute(db)
  return rows.map(({ finding }) => ({ ...finding, ...exact('stored', finding), ...exact('computed', finding) }))
}

/** So many records that a statement cannot read are named: a statement that reads none has a defect of its own. */
const MAX_UNREADABLE = 5

/**
 * As `findBreaks`. A record that the statement cannot read, such as an amount that overflows, is a finding, too: what somebody forged
 * stops neither the check of other records nor that of other invariants.
 * @param db no transaction: a statement that failed would end it
 */
export async function findBreaksInPieces(
  db: Db,
  invariant: Invariant,
  keys: readonly number[],
  limit: number,
): Promise<Finding[]> {
  try {
    return await findBreaks(db, invariant, keys, limit)
  } catch (error) {
    if (!isDataException(error)) throw error
    if (keys.length === 1) return [{ key: keys[0]! }]
    const half = keys.length >> 1
    const found = await findBreaksInPieces(db, invariant, keys.slice(0, half), limit)
    if (found.length >= MAX_UNREADABLE) return found
    return [...found, ...(await findBreaksInPieces(db, invariant, keys.slice(half), limit))]
  }
}

/** A figure of a finding, at most as large as numbers are exact. */
function exact(name: 'stored' | 'computed', finding: Finding): Partial<Finding> {
  const most = Number.MAX_SAFE_INTEGER
  const value = finding[name]
  return typeof value === 'number' ? { [name]: Math.max(-most, Math.min(most, value)) } : {}
}
