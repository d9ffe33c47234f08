// The hash chain of the audit log, computed independently of the database, because an attacker who can change rows can
// also change database functions. A chain rewritten from some row on is consistent again, but then differs from heads
// that were logged earlier.

import { createHash } from 'node:crypto'

/** A row with its columns as text; null for null. */
export interface ChainedRow {
  audit_id: number
  /** Null if not in the chain. */
  chain_no: number | null
  previous_hash: string | null
  hash: string | null
  /** The columns covered by the hash besides number, previous hash, and id; digests in place of contents. */
  fields: readonly (string | null)[]
  /** Address, before, after and reason as text, with their salts and digests in hexadecimal. */
  contents: readonly (string | null)[]
  salts: readonly (string | null)[]
  digests: readonly (string | null)[]
  actor_id: number | null
  subject_user_id: number | null
}

/** The end of the chain: the last row's number, and its hash in hexadecimal. */
export interface ChainHead {
  chain_no: number
  hash: string
}

/** The start of a chain. */
export const CHAIN_START: ChainHead = { chain_no: 0, hash: '00'.repeat(32) }

/**
 * - `not_chained`: a row outside the chain, inserted past the function that writes them
 * - `gap`: rows are missing before this one
 * - `wrong_previous`: the previous row is a different one: rows were inserted, moved or removed
 * - `changed`: the row's content is not what was hashed
 * - `lost`: a content is missing, although its person was not erased
 * - `wrong_head`: the chain does not end where it should: its last rows were removed, or added past the function
 * - `wrong_anchor`: an earlier logged head is not in the chain, which was rewritten
 */
export type ChainProblemKind =
  | 'not_chained'
  | 'gap'
  | 'wrong_previous'
  | 'changed'
  | 'lost'
  | 'wrong_head'
  | 'wrong_anchor'

export interface ChainProblem {
  kind: ChainProblemKind
  chain_no: number | null
  audit_id: number | null
}

/** Users who were erased, with the number of the row that says so. */
export type ErasedPersons = ReadonlyMap<number, number>

/** SHA-256 of a row in hexadecimal, as `audit_hash` of the database. */
export function hashRow({ audit_id, chain_no, previous_hash, fields }: ChainedRow): string {
  const all = [String(chain_no), previous_hash, String(audit_id), ...fields]
  const text = all.map((field) => (field === null ? '-' : `${Buffer.byteLength(field)}:${field}`)).join(',')
  return createHash('sha256').update(text).digest('hex')
}

/**
 * Whether a row's contents are what was hashed. A content may be missing, with its salt, if `erase_audit` of the database
 * removes it from rows before an erasing.
 */
function checkContents(row: ChainedRow, erased: ErasedPersons): 'changed' | 'lost' | null {
  let hasLost = false
  for (const [index, digest] of row.digests.entries()) {
    const [content, salt] = [row.contents[index]!, row.salts[index]!]
    if (content === null && digest !== null && salt === null) hasLost ||= !mayLose(row, index, erased)
    else if ((content === null) !== (digest === null)) return 'changed'
    else if (content !== null && (salt === null || hashContent(salt, content) !== digest)) return 'changed'
  }
  return hasLost ? 'lost' : null
}

/** The address goes with the person who acted, the reason with the subject, and `before` and `after` with either. */
function mayLose(row: ChainedRow, index: number, erased: ErasedPersons): boolean {
  const wasErased = (user_id: number | null): boolean =>
    user_id !== null && row.chain_no !== null && row.chain_no <= (erased.get(user_id) ?? 0)
  const { actor_id, subject_user_id } = row
  if (index === 0) return wasErased(actor_id ?? subject_user_id)
  return wasErased(subject_user_id) || (index !== 3 && wasErased(actor_id))
}

function hashContent(salt: string, content: string): string {
  return createHash('sha256').update(Buffer.from(salt, 'hex')).update(content).digest('hex')
}

/**
 * Problems of the rows after a position in the chain, in number order; and the position after them.
 * @param erased the persons whom the chain says were erased
 */
export function checkRows(
  rows: readonly ChainedRow[],
  after: ChainHead,
  erased: ErasedPersons,
): { problems: ChainProblem[]; last: ChainHead } {
  const problems: ChainProblem[] = []
  let last = after
  for (const row of rows) {
    const { chain_no, audit_id, previous_hash, hash } = row
    if (chain_no === null || hash === null) {
      problems.push({ kind: 'not_chained', chain_no, audit_id })
      continue
    }
    const add = (kind: ChainProblemKind): number => problems.push({ kind, chain_no, audit_id })
    if (chain_no !== last.chain_no + 1) add('gap')
    else if (previous_hash !== last.hash) add('wrong_previous')
    const problem = hashRow(row) === hash ? checkContents(row, erased) : 'changed'
    if (problem) add(problem)
    last = { chain_no, hash }
  }
  return { problems, last }
}
