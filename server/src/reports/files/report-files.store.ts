// Report files and their parts. A writer claims a file; an attempt that was replaced writes nothing more.

import type { ReportFile } from '@megalot/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../postgres/db.ts'
import type { FileRequest } from './file-columns.ts'

export interface FileRecord {
  file_id: number
  content_hash: Buffer
  request: FileRequest
  filename: string
  state: ReportFile['state']
  row_count: number | null
  rows_done: number
  byte_count: number
  created_at: Date
  expires_at: Date
}

/** A writer that has not renewed its claim for this long is gone. */
const isAbandoned = sql`renewed_at < clock_timestamp() - interval '1 minute'`
/** After this many attempts a file is given up. */
const MAX_ATTEMPTS = 3

const columns = sql`file_id, content_hash, request, filename, state, row_count, rows_done, byte_count, created_at,
  created_at + interval '1 day' as expires_at`

export interface NewFile {
  user_id: number
  principal_id: number
  request_id: string
  content_hash: Buffer
  request: FileRequest
  filename: string
}

/**
 * Records a file request, unless too many files of its principal are unfinished. Requests of one principal are
 * serialised.
 * @returns false if there are too many; true also for a repeated request
 */
export async function insertFile(db: Db, file: NewFile, mostUnfinished: number): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    await sql`select 1 from users where user_id = ${file.principal_id} for no key update`.execute(tx)
    if (await findFileByRequest(tx, file.user_id, file.request_id)) return true
    const { numAffectedRows } = await sql`
      insert into report_files (user_id, principal_id, request_id, content_hash, request, filename)
      select ${file.user_id}, ${file.principal_id}, ${file.request_id}, ${file.content_hash}, ${JSON.stringify(file.request)}::jsonb, ${file.filename}
      where (select count(*) from report_files where principal_id = ${file.principal_id} and state in ('waiting', 'writing')) < ${mostUnfinished}`.execute(
      tx,
    )
    return numAffectedRows === 1n
  })
}

export async function findFileByRequest(db: Db, user_id: number, request_id: string): Promise<FileRecord | undefined> {
  const [file] = await listFilesWhere(db, sql`user_id = ${user_id} and request_id = ${request_id}`)
  return file
}

/** A file of a user. */
export async function findFile(db: Db, user_id: number, file_id: number): Promise<FileRecord | undefined> {
  const [file] = await listFilesWhere(db, sql`user_id = ${user_id} and file_id = ${file_id}`)
  return file
}

/** A user's files, newest first. */
export function listFiles(db: Db, user_id: number): Promise<FileRecord[]> {
  return listFilesWhere(db, sql`user_id = ${user_id}`)
}

async function listFilesWhere(db: Db, condition: RawBuilder<unknown>): Promise<FileRecord[]> {
  const { rows } = await sql<FileRecord>`
    select ${columns} from report_files where ${condition} order by file_id desc`.execute(db)
  return rows
}

/** Removes all but the newest files of a user, or of a principal with its assistants, except unfinished ones. */
export async function removeOlderFiles(
  db: Db,
  owner: 'user_id' | 'principal_id',
  id: number,
  most: number,
): Promise<void> {
  const isOwned = sql`${sql.ref(owner)} = ${id}`
  await sql`
    delete from report_files where ${isOwned} and state in ('ready', 'failed') and file_id not in (
      select file_id from report_files where ${isOwned} order by file_id desc limit ${most})`.execute(db)
}

/** Removes files older than a day. */
export async function removeExpiredFiles(db: Db): Promise<void> {
  await sql`delete from report_files where created_at < clock_timestamp() - interval '1 day'`.execute(db)
}

export interface ClaimedFile {
  file_id: number
  attempt: number
  user_id: number
  principal_id: number
  is_office: boolean
  request: FileRequest
}

/**
 * Claims a file that waits, or whose writer is gone.
 * @returns undefined if there is nothing to write
 */
export async function claimFile(db: Db, file_id: number): Promise<ClaimedFile | undefined> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<ClaimedFile>`
      update report_files set state = 'writing', attempt = attempt + 1, rows_done = 0, byte_count = 0,
        renewed_at = clock_timestamp()
      from users
      where file_id = ${file_id} and users.user_id = report_files.principal_id and attempt < ${MAX_ATTEMPTS}
        and (state = 'waiting' or (state = 'writing' and ${isAbandoned}))
      returning file_id, attempt, report_files.user_id, report_files.principal_id, is_office, request`.execute(tx)
    const [claimed] = rows
    if (claimed && claimed.attempt > 1) await sql`delete from report_file_parts where file_id = ${file_id}`.execute(tx)
    return claimed
  })
}

/** Files that were not begun, or whose writer is gone. Gives up those with too many attempts. */
export async function listAbandonedFiles(db: Db): Promise<{ file_id: number; principal_id: number }[]> {
  await sql`
    update report_files set state = 'failed'
    where state in ('waiting', 'writing') and attempt >= ${MAX_ATTEMPTS} and ${isAbandoned}`.execute(db)
  const { rows } = await sql<{ file_id: number; principal_id: number }>`
    select file_id, principal_id from report_files where state in ('waiting', 'writing') and ${isAbandoned} order by file_id`.execute(
    db,
  )
  return rows
}

type Attempt = Pick<ClaimedFile, 'file_id' | 'attempt'>

const isOwn = ({ file_id, attempt }: Attempt) =>
  sql`file_id = ${file_id} and attempt = ${attempt} and state = 'writing'`

/**
 * Records an attempt's progress.
 * @returns false if another has replaced it, or the file was removed
 */
export async function noteProgress(
  db: Db,
  own: Attempt,
  { row_count, rows_done }: Pick<FileRecord, 'row_count' | 'rows_done'>,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update report_files set row_count = ${row_count}, rows_done = ${rows_done}, renewed_at = clock_timestamp()
    where ${isOwn(own)}`.execute(db)
  return numAffectedRows === 1n
}

/**
 * @param content the part as stored
 * @param byte_count its length when sent
 * @returns false as `noteProgress`
 */
export async function addPart(
  db: Db,
  own: Attempt,
  part_no: number,
  content: Buffer,
  byte_count = content.length,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    with own as (
      update report_files set byte_count = byte_count + ${byte_count}, renewed_at = clock_timestamp()
      where ${isOwn(own)} returning file_id
    )
    insert into report_file_parts (file_id, part_no, content) select file_id, ${part_no}, ${content} from own`.execute(
    db,
  )
  return numAffectedRows === 1n
}

export async function endFile(db: Db, own: Attempt, state: 'ready' | 'failed'): Promise<void> {
  await sql`
    update report_files set state = ${state}, row_count = case when ${state} = 'ready' then rows_done else row_count end
    where ${isOwn(own)}`.execute(db)
}

/** The stored parts of a ready file. */
export async function* readParts(db: Db, file_id: number): AsyncGenerator<Buffer> {
  for (let part_no = 0; ; part_no += 1) {
    const { rows } = await sql<{ content: Buffer }>`
      select content from report_file_parts where file_id = ${file_id} and part_no = ${part_no}`.execute(db)
    if (!rows[0]) return
    yield rows[0].content
  }
}
