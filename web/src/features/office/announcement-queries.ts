import type { AnnouncementContent } from '@megalot/contract'
import {
  createAnnouncement,
  deleteAnnouncement,
  enableAnnouncement,
  listAllAnnouncements,
  updateAnnouncement,
} from '@megalot/contract'
import { queryOptions } from '@tanstack/react-query'
import { announcementsQuery } from '../../lib/announcement-queries.ts'
import { callRoute } from '../../lib/http-client.ts'
import { queryClient } from '../../lib/query-client.ts'

/** Every announcement, those that are not shown too, newest first. */
export const allAnnouncementsQuery = queryOptions({
  queryKey: ['office', 'announcements'],
  queryFn: async ({ signal }) => (await callRoute(listAllAnnouncements, { signal })).data,
})

/** What everybody sees has changed with it. */
async function refetchAnnouncements(): Promise<void> {
  await Promise.all(
    [allAnnouncementsQuery, announcementsQuery].map(({ queryKey }) => queryClient.invalidateQueries({ queryKey })),
  )
}

/** Writes an announcement anew, or makes one where there is no id. */
export async function saveAnnouncement(announce_id: number | null, content: AnnouncementContent): Promise<void> {
  if (announce_id === null) await callRoute(createAnnouncement, { body: content })
  else await callRoute(updateAnnouncement, { body: { announce_id, ...content } })
  await refetchAnnouncements()
}

export async function showAnnouncement(announce_id: number, is_enabled: boolean): Promise<void> {
  await callRoute(enableAnnouncement, { body: { announce_id, is_enabled } })
  await refetchAnnouncements()
}

export async function removeAnnouncement(announce_id: number): Promise<void> {
  await callRoute(deleteAnnouncement, { params: { announce_id: String(announce_id) } })
  await refetchAnnouncements()
}
