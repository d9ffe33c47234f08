// Announcements of the company to all users.

import * as z from 'zod/mini'
import * as calls from '../calls/announcements.ts'
import { defineRoute } from '../route.ts'
import { freeText, instant, longText, pathId } from '../wire.ts'

export const announcementType = z.enum(['news', 'important'])

const body = longText(5_000)

const content = {
  type: announcementType,
  title_th: freeText(1, 200),
  title_en: freeText(1, 200),
  body_th: body,
  body_en: body,
  /** Shown to all users; otherwise only to the company. */
  is_enabled: z.boolean(),
}

export const announcement = z.strictObject({
  announce_id: z.int(),
  ...content,
  created_at: instant,
  updated_at: instant,
  /** Whether the caller has read the current version. */
  is_read: z.boolean(),
})
export type Announcement = z.output<typeof announcement>

export const listAnnouncements = defineRoute({
  ...calls.listAnnouncements,
  is_specified: true,
  access: 'signed_in',
  // With their texts in both languages.
  summary: 'Current announcements of the company, newest first; optionally of one type',
  query: z.strictObject({ type: z.optional(announcementType) }),
  reply: z.array(announcement),
})

export const listAllAnnouncements = defineRoute({
  ...calls.listAllAnnouncements,
  is_specified: true,
  access: 'company',
  needs: 'messages.view',
  summary: 'All announcements, including hidden ones, newest first',
  reply: z.array(announcement),
})

export const getAnnouncement = defineRoute({
  ...calls.getAnnouncement,
  is_specified: true,
  access: 'signed_in',
  summary: 'One announcement; one that is not shown is there for the company alone',
  params: z.strictObject({ announce_id: pathId }),
  reply: announcement,
})

export const readAnnouncement = defineRoute({
  ...calls.readAnnouncement,
  access: 'signed_in',
  summary: 'Notes that the caller has read an announcement',
  params: z.strictObject({ announce_id: pathId }),
  reply: z.null(),
})

export const createAnnouncement = defineRoute({
  ...calls.createAnnouncement,
  is_specified: true,
  body_bytes: 64 * 1024,
  access: 'company',
  needs: 'messages.do',
  summary: 'Makes an announcement',
  body: z.strictObject(content),
  reply: announcement,
})

export const enableAnnouncement = defineRoute({
  ...calls.enableAnnouncement,
  is_specified: true,
  access: 'company',
  needs: 'messages.do',
  summary: 'Shows an announcement or hides it',
  body: z.strictObject({ announce_id: z.int().check(z.minimum(1)), is_enabled: z.boolean() }),
  reply: announcement,
})

export const updateAnnouncement = defineRoute({
  ...calls.updateAnnouncement,
  is_specified: true,
  body_bytes: 64 * 1024,
  access: 'company',
  needs: 'messages.do',
  summary: 'Replaces an announcement, which makes it unread for all users',
  body: z.strictObject({ announce_id: z.int().check(z.minimum(1)), ...content }),
  reply: announcement,
})

export const deleteAnnouncement = defineRoute({
  ...calls.deleteAnnouncement,
  is_specified: true,
  access: 'company',
  needs: 'messages.do',
  summary: 'Removes an announcement; the audit log keeps its text',
  params: z.strictObject({ announce_id: pathId }),
  reply: z.null(),
})
export type AnnouncementContent = z.output<typeof createAnnouncement.body>
