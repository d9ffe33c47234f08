import { listAnnouncements, readAnnouncement } from '@megalot/contract'
import type { Announcement, Language } from '@megalot/contract'
import { queryOptions } from '@tanstack/react-query'
import { afterNextPaint } from '../../lib/page/after-next-paint.ts'
import { callRoute } from '../../lib/api/http-client.ts'
import { queryClient } from '../../lib/api/query-client.ts'

/** What the company announces, newest first. */
export const announcementsQuery = queryOptions({
  queryKey: ['announcements'],
  queryFn: async ({ signal }) => {
    await afterNextPaint()
    return (await callRoute(listAnnouncements, { signal })).data
  },
  staleTime: 60_000,
})

export async function markRead(announce_id: number): Promise<void> {
  await callRoute(readAnnouncement, { params: { announce_id: String(announce_id) } })
  await queryClient.invalidateQueries({ queryKey: announcementsQuery.queryKey })
}

export function titleOf(one: Announcement, language: Language): string {
  return one[`title_${language}`]
}

export function bodyOf(one: Announcement, language: Language): string {
  return one[`body_${language}`]
}
