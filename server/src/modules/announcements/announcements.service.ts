// Announcements of the company: visible or hidden, and read or unread by each user.

import type { Announcement, AnnouncementContent } from '@megalot/contract'
import type { Caller } from '../../platform/caller.ts'
import type { Db, Tx } from '../../platform/db.ts'
import { Refusal } from '../../platform/refusal.ts'
import { writeAudit } from '../audit/index.ts'
import {
  type AnnouncementRecord,
  deleteReads,
  findAnnouncement,
  insertAnnouncement,
  insertRead,
  listAll,
  listVisible,
  lockAnnouncement,
  removeAnnouncement,
  saveContent,
  saveIsEnabled,
} from './announcements.store.ts'

/** An announcement on the wire. */
function toAnnouncement(record: AnnouncementRecord): Announcement {
  return { ...record, created_at: record.created_at.toISOString(), updated_at: record.updated_at.toISOString() }
}

/** The visible announcements, newest first. */
export async function listAnnouncements(
  db: Db,
  { actor_id }: Caller,
  type: AnnouncementContent['type'] | undefined,
): Promise<Announcement[]> {
  return (await listVisible(db, actor_id, type)).map(toAnnouncement)
}

export async function listAllAnnouncements(db: Db, { actor_id }: Caller): Promise<Announcement[]> {
  return (await listAll(db, actor_id)).map(toAnnouncement)
}

/** @throws Refusal not_found, also for a hidden one where the caller does not see the company's announcements */
export async function getAnnouncement(
  db: Db,
  { actor_id, level, permissions }: Caller,
  announce_id: number,
): Promise<Announcement> {
  const found = await findAnnouncement(db, actor_id, announce_id)
  const seesHidden = level === 'company' && permissions.has('messages.view')
  if (!found || (!found.is_enabled && !seesHidden)) throw new Refusal('not_found')
  return toAnnouncement(found)
}

/** Records that the caller has read it. @throws Refusal not_found */
export async function readAnnouncement(db: Db, caller: Caller, announce_id: number): Promise<void> {
  await getAnnouncement(db, caller, announce_id)
  await insertRead(db, announce_id, caller.actor_id)
}

/** Publishes an announcement, with its row of the audit log. */
export async function createAnnouncement(db: Db, caller: Caller, content: AnnouncementContent): Promise<Announcement> {
  const announce_id = await db.transaction().execute(async (tx) => {
    const id = await insertAnnouncement(tx, content)
    await auditAction(tx, caller, 'create_announcement', id, { after: content })
    return id
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
    const before = await lockContent(tx, announce_id)
    await saveIsEnabled(tx, announce_id, is_enabled)
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
    const before = await lockContent(tx, announce_id)
    await saveContent(tx, announce_id, content)
    await deleteReads(tx, announce_id)
    await auditAction(tx, caller, 'update_announcement', announce_id, { before, after: content })
  })
  return getAnnouncement(db, caller, announce_id)
}

/** Removes it. @throws Refusal not_found */
export async function deleteAnnouncement(db: Db, caller: Caller, announce_id: number): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const before = await lockContent(tx, announce_id)
    await removeAnnouncement(tx, announce_id)
    await auditAction(tx, caller, 'delete_announcement', announce_id, { before })
  })
}

/** @throws Refusal not_found */
async function lockContent(tx: Tx, announce_id: number): Promise<AnnouncementContent> {
  const content = await lockAnnouncement(tx, announce_id)
  if (!content) throw new Refusal('not_found')
  return content
}

async function auditAction(
  tx: Tx,
  { actor_id, verifyAgain }: Caller,
  action: string,
  announce_id: number,
  change: { before?: object; after?: object },
): Promise<void> {
  // After the wait for the lock.
  await verifyAgain?.(tx)
  return writeAudit(tx, { actor_id, action, subject: `announcement:${announce_id}`, ...change })
}
