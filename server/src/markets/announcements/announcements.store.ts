import type { AnnouncementContent } from '@megalot/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../../postgres/db.ts'

export type AnnouncementRecord = AnnouncementContent & {
  announce_id: number
  created_at: Date
  updated_at: Date
  /** By the calling user. */
  is_read: boolean
}

async function selectAnnouncements(
  db: Db,
  reader_id: number,
  where: RawBuilder<unknown>,
  limit: number,
): Promise<AnnouncementRecord[]> {
  const { rows } = await sql<AnnouncementRecord>`
    select a.announce_id, type, title_th, title_en, body_th, body_en, is_enabled, created_at, updated_at,
      r.user_id is not null as is_read
    from announcements a left join announcement_reads r on r.announce_id = a.announce_id and r.user_id = ${reader_id}
    where ${where} order by a.announce_id desc limit ${limit}`.execute(db)
  return rows
}

/** The most visible announcements shown. */
const MAX_VISIBLE = 200

/**
 * The visible ones, newest first.
 * @param type omit for every type
 */
export function listVisible(
  db: Db,
  reader_id: number,
  type: AnnouncementContent['type'] | undefined,
): Promise<AnnouncementRecord[]> {
  const where = type === undefined ? sql`is_enabled` : sql`is_enabled and type = ${type}`
  return selectAnnouncements(db, reader_id, where, MAX_VISIBLE)
}

/** The newest ones, hidden or not, and all visible ones, newest first. */
export function listAll(db: Db, reader_id: number): Promise<AnnouncementRecord[]> {
  const where = sql`is_enabled or a.announce_id in (
    select announce_id from announcements order by announce_id desc limit ${MAX_VISIBLE})`
  return selectAnnouncements(db, reader_id, where, 2 * MAX_VISIBLE)
}

export async function findAnnouncement(
  db: Db,
  reader_id: number,
  announce_id: number,
): Promise<AnnouncementRecord | undefined> {
  return (await selectAnnouncements(db, reader_id, sql`a.announce_id = ${announce_id}`, 1))[0]
}

/** Locks an announcement against other changes until the transaction ends. */
export async function lockAnnouncement(tx: Tx, announce_id: number): Promise<void> {
  await sql`select 1 from announcements where announce_id = ${announce_id} for update`.execute(tx)
}

export async function findContent(tx: Tx, announce_id: number): Promise<AnnouncementContent | undefined> {
  return tx
    .selectFrom('announcements')
    .select(['type', 'title_th', 'title_en', 'body_th', 'body_en', 'is_enabled'])
    .where('announce_id', '=', announce_id)
    .executeTakeFirst()
}

export async function insertAnnouncement(tx: Tx, content: AnnouncementContent): Promise<number> {
  const row = await tx.insertInto('announcements').values(content).returning('announce_id').executeTakeFirstOrThrow()
  return row.announce_id
}

export async function saveIsEnabled(tx: Tx, announce_id: number, is_enabled: boolean): Promise<void> {
  await tx.updateTable('announcements').set({ is_enabled }).where('announce_id', '=', announce_id).execute()
}

export async function saveContent(tx: Tx, announce_id: number, content: AnnouncementContent): Promise<void> {
  await tx
    .updateTable('announcements')
    .set({ ...content, updated_at: sql<Date>`clock_timestamp()` })
    .where('announce_id', '=', announce_id)
    .execute()
}

export async function removeAnnouncement(tx: Tx, announce_id: number): Promise<void> {
  await tx.deleteFrom('announcements').where('announce_id', '=', announce_id).execute()
}

/** Records that a user has read it. */
export async function insertRead(db: Db, announce_id: number, user_id: number): Promise<void> {
  await db
    .insertInto('announcement_reads')
    .values({ announce_id, user_id })
    .onConflict((on) => on.doNothing())
    .execute()
}

/** Makes it unread for all users. */
export async function deleteReads(tx: Tx, announce_id: number): Promise<void> {
  await tx.deleteFrom('announcement_reads').where('announce_id', '=', announce_id).execute()
}
