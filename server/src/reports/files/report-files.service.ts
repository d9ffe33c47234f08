// Reports as files. The node that is asked for one begins to write it and waits briefly; a longer file is written in
// the background. If that node has stopped, any node writes the file again from its start, at most three times.

import { promisify } from 'node:util'
import zlib from 'node:zlib'
import { type Language, REPORT_FILE_WAIT_MS, type ReportFile, type ReportFileBody } from '@megalot/contract'
import type { Caller } from '../../http/caller.ts'
import { writeCsvPieces } from '../../lib/csv.ts'
import { type Db, isDatabaseAway } from '../../postgres/db.ts'
import { hashContent, refuseOtherContent } from '../../changes/idempotent-replay.ts'
import { Refusal } from '../../lib/refusal.ts'
import { createSemaphore, type Semaphore } from '../../lib/semaphore.ts'
import { writeXlsx } from '../../lib/spreadsheet.ts'
import { getPeriodRecord } from '../../markets/index.ts'
import { countToday, type DayBound, isDailyLimitReached } from '../../identity/sessions/index.ts'
import { getClearing } from '../../money/index.ts'
import { readDownlineSpan } from '../downline-reports.service.ts'
import {
  addPart,
  claimFile,
  type ClaimedFile,
  endFile,
  type FileRecord,
  findFile,
  findFileByRequest,
  insertFile,
  listAbandonedFiles,
  listFiles,
  noteProgress,
  readParts,
  removeExpiredFiles,
  removeOlderFiles,
} from './report-files.store.ts'
import type { FileRequest, ReportRows } from './file-columns.ts'
import { openReportRows } from './report-rows.ts'

const gzip = promisify(zlib.gzip)
const gunzip = promisify(zlib.gunzip)

export interface ReportFiles {
  db: Db
  /** For the rows of reports. */
  reports: Db
  /** Limits how many files a node writes at once. */
  writers: Semaphore
  /** The end of each principal's last file that is being written, or waits for earlier ones. */
  lastOf: Map<number, Promise<void>>
  onError: (error: unknown) => void
}

/** How many files a node writes at once; each takes a connection for its rows. */
const WRITERS = 2

export function createReportFiles(db: Db, reports: Db, onError: (error: unknown) => void): ReportFiles {
  return { db, reports, writers: createSemaphore(WRITERS), lastOf: new Map(), onError }
}

/** How many files are kept per user, and per principal with its assistants. */
const MAX_FILES = { ofUser: 20, ofPrincipal: 100 } as const
/** How many unfinished files a principal and its assistants may have. */
const MAX_UNFINISHED = 3
/**
 * Daily limit, in Bangkok days, for a principal, and again for all its assistants, in KiB as stored. The office has no
 * limit.
 */
const KIB_A_DAY = 128 * 1_024

const dayBoundOf = (user_id: number, principal_id: number): DayBound => ({
  subject: `report-files:${user_id === principal_id ? '' : 'assistants:'}${principal_id}`,
  most: KIB_A_DAY,
})

/**
 * Writes a report as a file. The same request_id returns the same file.
 * @returns the file, ready or still being written
 * @throws Refusal not_found, unknown_product, unknown_period, span_too_long, bad_input, request_id_reused,
 * too_many_report_files, report_file_limit_reached (today)
 */
export async function createReportFile(
  files: ReportFiles,
  caller: Caller,
  { request_id, ...body }: ReportFileBody,
  language: Language,
): Promise<ReportFile> {
  const { db } = files
  const { actor_id: user_id, principal_id } = caller
  const content_hash = hashContent(body)
  const earlier = await findFileByRequest(db, user_id, request_id)
  if (!earlier) {
    if (!caller.is_office && (await isDailyLimitReached(db, dayBoundOf(user_id, principal_id))))
      throw new Refusal('report_file_limit_reached')
    const filename = await nameFile(files.reports, caller, body)
    await removeOlderFiles(db, 'user_id', user_id, MAX_FILES.ofUser - 1)
    await removeOlderFiles(db, 'principal_id', principal_id, MAX_FILES.ofPrincipal - 1)
    const request = { ...body, language }
    if (!(await insertFile(db, { user_id, principal_id, request_id, content_hash, request, filename }, MAX_UNFINISHED)))
      throw new Refusal('too_many_report_files', { most: MAX_UNFINISHED })
  }
  const file = earlier ?? (await findFileByRequest(db, user_id, request_id))!
  refuseOtherContent(file.content_hash, content_hash)
  if (!earlier) await waitFor(writeInTurn(files, principal_id, file.file_id), REPORT_FILE_WAIT_MS)
  return toReportFile((await findFile(db, user_id, file.file_id)) ?? file)
}

/** Validates the request before anything is written. */
async function nameFile(db: Db, caller: Caller, body: Omit<ReportFileBody, 'request_id'>): Promise<string> {
  const { user_id, report, format, period_code } = body
  if (report === 'payments' || report === 'clearing') return nameMoneyFile(db, caller, body)
  const query = { ...body, user_id: user_id === undefined ? undefined : String(user_id) }
  const { subject, span } = await readDownlineSpan(db, caller, query)
  const about = [report.replaceAll('_', '-'), subject.username]
  if (report !== 'win_loss_tickets') return `${[...about, span.date_from, span.date_to].join('-')}.${format}`
  if (period_code === undefined)
    throw new Refusal('bad_input', { problems: [{ part: 'body', path: '/period_code', rule: 'required' }] })
  await getPeriodRecord(db, period_code)
  return `${[...about, period_code].join('-')}.${format}`
}

/** @throws Refusal not_allowed, not_found, bad_input */
async function nameMoneyFile(
  db: Db,
  caller: Caller,
  { report, format, date_from, date_to, clearing_id }: Omit<ReportFileBody, 'request_id'>,
): Promise<string> {
  if (!caller.permissions.has('money.view')) throw new Refusal('not_allowed')
  if (report === 'payments')
    return `${['payments', date_from, date_to].filter((part) => part !== undefined).join('-')}.${format}`
  if (clearing_id === undefined)
    throw new Refusal('bad_input', { problems: [{ part: 'body', path: '/clearing_id', rule: 'required' }] })
  const { child, week } = await getClearing(db, caller, clearing_id)
  return `clearing-${child.username}-${week}.${format}`
}

/** The caller's files, newest first. */
export async function listReportFiles({ db }: ReportFiles, { actor_id }: Caller): Promise<ReportFile[]> {
  return (await listFiles(db, actor_id)).map(toReportFile)
}

/**
 * A ready file with its bytes.
 * @throws Refusal not_found
 */
export async function openReportFile(
  { db }: ReportFiles,
  caller: Caller,
  file_id: number,
): Promise<{ filename: string; byte_count: number; bytes: AsyncIterable<Buffer> }> {
  const file = await findFile(db, caller.actor_id, file_id)
  if (file?.state !== 'ready') throw new Refusal('not_found')
  return { filename: file.filename, byte_count: file.byte_count, bytes: unpack(file.request, readParts(db, file_id)) }
}

async function* unpack({ format }: FileRequest, parts: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const part of parts) yield format === 'csv' ? await gunzip(part) : part
}

function toReportFile({ request, created_at, expires_at, ...file }: FileRecord): ReportFile {
  const { report, format } = request
  return { ...file, report, format, created_at: created_at.toISOString(), expires_at: expires_at.toISOString() }
}

async function waitFor(work: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const elapsed = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([work, elapsed])
  clearTimeout(timer)
}

// ---- writing ----

/** Writes files that were not begun, or whose writer is gone. Any node may call it at any time. */
export async function writeAbandonedFiles(files: ReportFiles): Promise<void> {
  for (const { file_id, principal_id } of await listAbandonedFiles(files.db))
    // It may be waiting for its turn here.
    if (!files.lastOf.has(principal_id)) await writeInTurn(files, principal_id, file_id)
}

/** Removes files older than a day. */
export function removeReportFiles({ db }: ReportFiles): Promise<void> {
  return removeExpiredFiles(db)
}

/** A principal's files, and its assistants', are written one after another, so that other principals find a writer. */
function writeInTurn(files: ReportFiles, principal_id: number, file_id: number): Promise<void> {
  const { lastOf } = files
  const written = (lastOf.get(principal_id) ?? Promise.resolve()).then(() => writeInBackground(files, file_id))
  lastOf.set(principal_id, written)
  void written.then(() => lastOf.get(principal_id) === written && lastOf.delete(principal_id))
  return written
}

/** Never throws: a failure becomes the file's state, and is reported. */
async function writeInBackground(files: ReportFiles, file_id: number): Promise<void> {
  try {
    await files.writers.run(async () => {
      const claimed = await claimFile(files.db, file_id)
      if (claimed) await writeClaimed(files, claimed)
    })
  } catch (error) {
    files.onError(error)
  }
}

/** Another attempt has replaced this one, or the file was removed. */
class ReplacedError extends Error {}
/** The principal's daily limit is used up. */
class SpentError extends Error {}

async function writeClaimed(files: ReportFiles, claimed: ClaimedFile): Promise<void> {
  const { db, reports } = files
  try {
    const report = await openReportRows(reports, claimed, claimed.request)
    let part_no = 0
    for await (const part of inParts(bytesOf(claimed, withProgress(db, claimed, report)))) {
      // Spreadsheets are already compressed.
      const content = claimed.request.format === 'csv' ? await gzip(part) : part
      await countForDay(db, claimed, content.length)
      if (!(await addPart(db, claimed, part_no, content, part.length))) throw new ReplacedError()
      part_no += 1
    }
    await endFile(db, claimed, 'ready')
  } catch (error) {
    if (error instanceof ReplacedError) return
    if (error instanceof SpentError) return endFile(db, claimed, 'failed')
    // If the database was unavailable or too slow, the file is written again once the claim is old.
    if (!isDatabaseAway(error)) await endFile(db, claimed, 'failed')
    throw error
  }
}

/**
 * Every attempt counts, whether or not its file becomes ready.
 * @throws SpentError
 */
async function countForDay(db: Db, { user_id, principal_id, is_office }: ClaimedFile, bytes: number): Promise<void> {
  if (!is_office && !(await countToday(db, dayBoundOf(user_id, principal_id), Math.ceil(bytes / 1_024))))
    throw new SpentError()
}

/** The same rows; records progress after each piece. */
function withProgress(db: Db, claimed: ClaimedFile, report: ReportRows): ReportRows {
  async function* pieces() {
    let rows_done = 0
    for await (const piece of report.pieces) {
      yield piece
      rows_done += piece.length
      if (!(await noteProgress(db, claimed, { row_count: report.row_count, rows_done }))) throw new ReplacedError()
    }
  }
  return { ...report, pieces: pieces() }
}

function bytesOf({ request }: ClaimedFile, { columns, pieces }: ReportRows): AsyncIterable<Uint8Array> {
  if (request.format === 'csv')
    return writeCsvPieces(
      columns.map(({ heading }) => heading),
      pieces,
    )
  return writeXlsx(request.report, columns, flatten(pieces))
}

async function* flatten(pieces: ReportRows['pieces']) {
  for await (const piece of pieces) yield* piece
}

const PART_BYTES = 256 * 1024

/** The same bytes in parts of about `PART_BYTES`. */
async function* inParts(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  let gathered: Uint8Array[] = []
  let size = 0
  for await (const chunk of chunks) {
    gathered.push(chunk)
    size += chunk.length
    if (size < PART_BYTES) continue
    yield Buffer.concat(gathered)
    gathered = []
    size = 0
  }
  if (size > 0) yield Buffer.concat(gathered)
}
