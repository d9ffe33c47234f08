// Announcements of the company: visible or hidden, and read or unread by each user.

import type { Announcement, AnnouncementContent } from '@megalot/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Caller } from '../../platform/caller.ts'
import type { Db, Tx } from '../../platform/db.ts'
import { Refusal } from '../../platform/refusal.ts'
import { writeAudit } from '../audit/index.ts'

type AnnouncementRecord = AnnouncementContent & {
  announce_id: number
  created_at: Date
  updated_at: Date
  is_read: boolean
}

async function select(db: Db, user_id: number, where: RawBuilder<unknown>): Promise<Announcement[]> {
  const { rows } = await sql<AnnouncementRecord>`
    select a.announce_id, type, title_th, title_en, body_th, body_en, is_enabled, created_at, updated_at,
      r.user_id is not null as is_read
    from announcements a left join announcement_reads r on r.announce_id = a.announce_id and r.user_id = ${user_id}
    where ${where} order by a.announce_id desc limit 200`.execute(db)
  return rows.map((row) => ({
    ...row,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }))
}

/** The visible announcements, newest first. */
export function listAnnouncements(
  db: Db,
  { user_id }: Caller,
  type: AnnouncementContent['type'] | undefined,
): Promise<Announcement[]> {
  return select(db, user_id, type === undefined ? sql`is_enabled` : sql`is_enabled and type = ${type}`)
}

export function listAllAnnouncements(db: Db, { user_id }: Caller): Promise<Announcement[]> {
  return select(db, user_id, sql`true`)
}

/** @throws Refusal not_found, also for a hidden one where the caller does not belong to the company */
export async function getAnnouncement(db: Db, { user_id, level }: Caller, announce_id: number): Promise<Announcement> {
  const [found] = await select(db, user_id, sql`a.announce_id = ${announce_id}`)
  if (!found || (!found.is_enabled && level !== 'company')) throw new Refusal('not_found')
  return found
}

/** Records that the caller has read it. @throws Refusal not_found */
export async function readAnnouncement(db: Db, caller: Caller, announce_id: number): Promise<void> {
  await getAnnouncement(db, caller, announce_id)
  await db
    .insertInto('announcement_reads')
    .values({ announce_id, user_id: caller.user_id })
    .onConflict((on) => on.doNothing())
    .execute()
}

export async function createAnnouncement(db: Db, caller: Caller, content: AnnouncementContent): Promise<Announcement> {
  const announce_id = await db.transaction().execute(async (tx) => {
    const row = await tx.insertInto('announcements').values(content).returning('announce_id').executeTakeFirstOrThrow()
    await auditAction(tx, caller, 'create_announcement', row.announce_id, { after: content })
    return row.announce_id
  })
  return getAnnouncement(db, caller, announce_id)
}

/** Shows it or hides it. @throws Refusal not_found */
export async function enableAnnouncement(
  db: Db,
  caller: Caller,
  { announce_id, is_enabled }: { announce_id: number; is_enabled: boolean },
): Promise<Announcement> {
  await db.transaction().execute(async (tx) => {
    const before = await lock(tx, announce_id)
    await tx.updateTable('announcements').set({ is_enabled }).where('announce_id', '=', announce_id).execute()
    const after = { is_enabled }
    await auditAction(tx, caller, 'enable_announcement', announce_id, {
      before: { is_enabled: before.is_enabled },
      after,
    })
  })
  return getAnnouncement(db, caller, announce_id)
}

/** Replaces its content; it is unread again for everybody. @throws Refusal not_found */
export async function updateAnnouncement(
  db: Db,
  caller: Caller,
  { announce_id, ...content }: AnnouncementContent & { announce_id: number },
): Promise<Announcement> {
  await db.transaction().execute(async (tx) => {
    const before = await lock(tx, announce_id)
    await tx
      .updateTable('announcements')
      .set({ ...content, updated_at: sql<Date>`clock_timestamp()` })
      .where('announce_id', '=', announce_id)
      .execute()
    await tx.deleteFrom('announcement_reads').where('announce_id', '=', announce_id).execute()
    await auditAction(tx, caller, 'update_announcement', announce_id, { before, after: content })
  })
  return getAnnouncement(db, caller, announce_id)
}

/** Removes it. @throws Refusal not_found */
export async function deleteAnnouncement(db: Db, caller: Caller, announce_id: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const before = await lock(tx, announce_id)
    await tx.deleteFrom('announcements').where('announce_id', '=', announce_id).execute()
    await auditAction(tx, caller, 'delete_announcement', announce_id, { before })
  })
}

async function lock(tx: Tx, announce_id: number): Promise<AnnouncementContent> {
  const found = await tx
    .selectFrom('announcements')
    .select(['type', 'title_th', 'title_en', 'body_th', 'body_en', 'is_enabled'])
    .where('announce_id', '=', announce_id)
    .forUpdate()
    .executeTakeFirst()
  if (!found) throw new Refusal('not_found')
  return found
}

function auditAction(
  tx: Tx,
  { user_id }: Caller,
  action: string,
  announce_id: number,
  change: { before?: object; after?: object },
): Promise<void> {
  return writeAudit(tx, { actor_id: user_id, action, subject: `announcement:${announce_id}`, ...change })
}
