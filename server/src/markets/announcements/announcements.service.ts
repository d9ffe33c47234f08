// Announcements of the company: visible or hidden, and read or unread by each user.

import type { Announcement, AnnouncementContent } from '@megalot/contract'
import type { Caller } from '../../http/caller.ts'
import type { Db } from '../../postgres/db.ts'
import { Refusal } from '../../lib/refusal.ts'
import { type AnnouncementRecord, findAnnouncement, insertRead, listAll, listVisible } from './announcements.store.ts'

/** An announcement as sent to clients. */
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

/** @throws Refusal not_found, also for a hidden one if the caller may not see the company's announcements */
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
