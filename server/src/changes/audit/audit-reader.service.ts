// Reads the audit log, as a list and as a file, and verifies its chain.

import { auditUserFields } from '@megalot/contract'
import type {
  AuditRow,
  DataOf,
  exportAudit as exportAuditRoute,
  Language,
  listAudit as listAuditRoute,
  TopLevelOf,
  UserLevel,
} from '@megalot/contract'
import { type Scope, seenActor } from '../../http/caller.ts'
import { type Cell, type InBoth, writeCsv, writeCsvLines } from '../../lib/csv.ts'
import { type Db, inSnapshot } from '../../postgres/db.ts'
import { Refusal } from '../../lib/refusal.ts'
import { CHAIN_START, type ChainHead, type ChainProblem, checkRows } from './audit-chain.ts'
import {
  type AuditEntry,
  type AuditFilter,
  type AuditPart,
  findLastCheck,
  listChainedRows,
  listErasedPersons,
  listEntries,
  listRowsOfSubject,
  listRowsWithoutChain,
  listUsernames,
  readHead,
  type SubjectAudit,
  saveCheck,
} from './audit.store.ts'

export interface AuditList {
  data: AuditRow[]
  top_level: TopLevelOf<typeof listAuditRoute>
}

/**
 * Audit rows, newest first. The office sees all; others see what they or their assistants did, and what concerns their
 * downline. A page may be short, or empty, before the log ends (`listEntries`).
 * @throws Refusal bad_input (days in reverse order)
 */
export async function listAudit(db: Db, scope: Scope, filter: AuditFilter, part: AuditPart): Promise<AuditList> {
  const { data, next_before } = await readPart(db, scope, filter, part)
  const check = await findLastCheck(db)
  const last_check = check === undefined ? null : { ...check, checked_at: check.checked_at.toISOString() }
  return { data, top_level: { next_before, head: await readHead(db), last_check } }
}

async function readPart(
  db: Db,
  scope: Scope,
  filter: AuditFilter,
  part: AuditPart,
): Promise<{ data: AuditRow[]; next_before: number | null }> {
  const { date_from, date_to } = filter
  if (date_from !== undefined && date_to !== undefined && date_from > date_to)
    throw new Refusal('bad_input', { problems: [{ part: 'querystring', path: '/date_to', rule: 'order' }] })
  const { entries, next_before } = await listEntries(db, scope, filter, part)
  return { data: await nameUsers(db, scope, entries), next_before }
}

/** What was done to a subject, newest first; for display, never for decisions. The caller has checked access to it. */
export async function listAuditOf(
  db: Db,
  reader: Scope,
  subject: string,
  limit: number,
  before_id: number | null,
): Promise<SubjectAudit[]> {
  const rows = await listRowsOfSubject(db, reader, subject, limit, before_id)
  return rows.map((row) => hideNames(reader, row, subject === `user:${reader.principal_id}`))
}

type Hideable = Pick<SubjectAudit, 'actor' | 'principal' | 'is_by_office' | 'above_level'> &
  Record<'before' | 'after', unknown>

/**
 * A row as shown to a reader: without names of the office and of users above, because a known log-in name can be
 * attacked. An assistant and its principal are both among these, or neither.
 */
function hideNames<Row extends Hideable>(reader: Scope, row: Row, isAboutReader: boolean): Row {
  const { is_by_office, above_level, before, after } = row
  const see = (actor: SubjectAudit['actor']) => (above_level === null ? seenActor(reader, actor, is_by_office) : null)
  return {
    ...row,
    ...{ actor: see(row.actor), principal: see(row.principal) },
    ...(isAboutReader ? { before: withoutParent(before), after: withoutParent(after) } : {}),
  }
}

/** Hides the parent of a new user and the source of copied terms. */
function withoutParent(side: unknown): unknown {
  if (typeof side !== 'object' || side === null || Array.isArray(side)) return side
  return Object.fromEntries(
    Object.entries(side).filter(([field]) => !['parent', 'parent_id', 'copy_from'].includes(field)),
  )
}

async function nameUsers(db: Db, reader: Scope, entries: readonly AuditEntry[]): Promise<AuditRow[]> {
  const idsOf = entries.map(({ before, after }) => [before, after].flatMap(listUserIds))
  const usernames = await listUsernames(db, reader, [...new Set(idsOf.flat())])
  return entries.map(({ is_about_office, ...entry }, index) => ({
    ...hideNames(reader, entry, entry.subject_user?.user_id === reader.principal_id),
    subject_user: seenActor(reader, entry.subject_user, is_about_office),
    at: entry.at.toISOString(),
    usernames: Object.fromEntries(
      idsOf[index]!.flatMap((user_id) => {
        const username = usernames.get(user_id)
        return username === undefined ? [] : [[String(user_id), username]]
      }),
    ),
  }))
}

/** The user ids named in `before` or `after`. */
function listUserIds(side: unknown): number[] {
  if (typeof side !== 'object' || side === null) return []
  const values = auditUserFields.map((field) => (side as Readonly<Record<string, unknown>>)[field])
  return values.filter((value) => typeof value === 'number')
}

const MAX_ROWS = 10_000
/** In characters; ordinary rows have about 400. */
const MAX_TEXT = 8_000_000
/** Other calls are served between two pieces. */
const ROWS_AT_ONCE = 200

const headings: readonly InBoth[] = [
  { th: 'ลำดับ', en: 'Number' },
  { th: 'เวลา', en: 'Time' },
  { th: 'ผู้ทำ', en: 'Actor' },
  { th: 'ทำแทน', en: 'Principal' },
  { th: 'ที่อยู่', en: 'Address' },
  { th: 'การกระทำ', en: 'Action' },
  { th: 'สิ่งที่ถูกทำ', en: 'Subject' },
  { th: 'ผู้ใช้ที่เกี่ยวข้อง', en: 'User concerned' },
  { th: 'ก่อน', en: 'Before' },
  { th: 'หลัง', en: 'After' },
  { th: 'เหตุผล', en: 'Reason' },
  { th: 'แฮช', en: 'Hash' },
]

/** Replaces names that the reader may not know. */
const byOffice: InBoth = { th: 'เจ้าหน้าที่', en: 'The office' }
const byAbove: InBoth = { th: 'สายบน', en: 'Upline' }
const levelNames: Record<UserLevel, InBoth> = {
  company: { th: 'บริษัท', en: 'Company' },
  super_senior: { th: 'ซูเปอร์ซีเนียร์', en: 'Super senior' },
  senior: { th: 'ซีเนียร์', en: 'Senior' },
  master: { th: 'มาสเตอร์', en: 'Master' },
  agent: { th: 'เอเยนต์', en: 'Agent' },
  member: { th: 'สมาชิก', en: 'Member' },
}

/** The last line of a truncated file. */
const cut: InBoth = {
  th: 'ยังมีรายการต่อ เลือกช่วงวันที่ให้สั้นลง',
  en: 'There is more: choose fewer days',
}

/**
 * As `listAudit`, as CSV of at most 10,000 rows or about 8,000,000 characters, written piece by piece; a truncated file
 * says so.
 */
export async function exportAudit(
  db: Db,
  scope: Scope,
  filter: AuditFilter,
  language: Language,
): Promise<DataOf<typeof exportAuditRoute>> {
  let text = writeCsv([headings.map((heading) => heading[language])])
  let row_count = 0
  let before: number | undefined
  do {
    const limit = Math.min(ROWS_AT_ONCE, MAX_ROWS - row_count)
    const { data, next_before } = await readPart(db, scope, filter, { limit, before })
    text += writeCsvLines(data.map((row) => toCells(row, language)))
    row_count += data.length
    before = next_before ?? undefined
  } while (before !== undefined && row_count < MAX_ROWS && text.length < MAX_TEXT)
  if (before !== undefined) text += writeCsvLines([[cut[language]]])
  return { filename: 'audit.csv', text }
}

function jsonCell(value: unknown): Cell {
  return value === null || value === undefined ? null : JSON.stringify(value)
}

function nameActor({ actor, is_by_office, above_level }: AuditRow, language: Language): string | null {
  if (actor) return actor.username
  if (above_level) return `${byAbove[language]} (${levelNames[above_level][language]})`
  return is_by_office ? byOffice[language] : null
}

function toCells(row: AuditRow, language: Language): Cell[] {
  const { chain_no, at, principal, address, action, subject, subject_user, reason, hash } = row
  const who = [nameActor(row, language), principal?.username ?? null, address]
  const what = [
    action,
    subject,
    subject_user?.username ?? null,
    jsonCell(row.before),
    jsonCell(row.after),
    reason,
    hash,
  ]
  return [chain_no, { instant: at }, ...who, ...what]
}

/** How many problems are reported. */
const MAX_PROBLEMS = 20

export interface ChainReport {
  /** The first problems; empty if the chain is intact. */
  problems: ChainProblem[]
  /** How many rows were verified. */
  row_count: number
  head: ChainHead
  /** Users whose personal data may be missing. */
  erased: readonly number[]
}

/**
 * Verifies the whole chain as of one instant.
 * @param anchor a head that was logged earlier and must still be in the chain
 */
export async function verifyAuditChain(db: Db, anchor?: ChainHead): Promise<ChainReport> {
  return inSnapshot(db, async (tx) => {
    const head = await readHead(tx)
    const erased = await listErasedPersons(tx)
    const problems = checkRows(await listRowsWithoutChain(tx, MAX_PROBLEMS), CHAIN_START, erased).problems
    let last = CHAIN_START
    let row_count = 0
    let isAnchored = anchor === undefined || (anchor.chain_no === 0 && anchor.hash === CHAIN_START.hash)
    for (;;) {
      const rows = await listChainedRows(tx, last.chain_no)
      if (rows.length === 0) break
      const checked = checkRows(rows, last, erased)
      problems.push(...checked.problems)
      isAnchored ||= rows.some(({ chain_no, hash }) => chain_no === anchor!.chain_no && hash === anchor!.hash)
      last = checked.last
      row_count += rows.length
    }
    if (last.chain_no !== head.chain_no || last.hash !== head.hash)
      problems.push({ kind: 'wrong_head', chain_no: head.chain_no, audit_id: null })
    if (!isAnchored) problems.push({ kind: 'wrong_anchor', chain_no: anchor!.chain_no, audit_id: null })
    return { problems: problems.slice(0, MAX_PROBLEMS), row_count, head, erased: [...erased.keys()] }
  })
}

/** Verifies the whole chain, and records when and with what result, for the audit reader. */
export async function checkAuditChain(db: Db): Promise<ChainReport> {
  const report = await verifyAuditChain(db)
  await saveCheck(db, { row_count: report.row_count, problem_count: report.problems.length })
  return report
}

/** The end of the chain, to be kept outside the database. */
export function readAuditHead(db: Db): Promise<ChainHead> {
  return readHead(db)
}
