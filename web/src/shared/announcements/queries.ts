import type { Announcement, Language } from '@megalot/contract'
import { listAnnouncements, readAnnouncement } from '@megalot/contract/browser'
import { queryOptions } from '@tanstack/react-query'
import { queryKeys } from '../../lib/api/query-keys.ts'
import { afterNextPaint } from '../../lib/page/after-next-paint.ts'
import { callRoute } from '../../lib/api/http-client.ts'
import type { Change } from '../../lib/api/use-change.ts'

/** The company's announcements, newest first. */
export const announcementsQuery = queryOptions({
  queryKey: queryKeys.announcements.all,
  queryFn: async ({ signal }) => {
    await afterNextPaint()
    return (await callRoute(listAnnouncements, { signal })).data
  },
  staleTime: 60_000,
})

export const markRead: Change<number> = {
  changes: 'announcement_read',
  send: (announce_id) => callRoute(readAnnouncement, { params: { announce_id: String(announce_id) } }),
}

export function titleOf(one: Announcement, language: Language): string {
  return one[`title_${language}`]
}

export function textOf(one: Announcement, language: Language): string {
  return one[`body_${language}`]
}
